// Player: the time that the animation and all plots show. Listeners are called whenever it changes.

export const speeds = [0.01, 0.03, 0.1, 0.25, 0.5, 1, 2, 4, 10, 30, 100, 300, 1000];

export class Player {
  constructor(begin, end, frames) {
    Object.assign(this, { begin, end, t: begin, playing: false, listeners: [] });
    this.step = frames > 1 ? (end - begin) / (frames - 1) : (end - begin) / 200;
    this.speed = natural_speed(end - begin);
    this.tick = this.tick.bind(this);
  }

  on_change(listener) {
    this.listeners.push(listener);
    listener(this);
  }

  changed() {
    for (const listener of this.listeners) listener(this);
  }

  seek(t) {
    this.t = Math.min(this.end, Math.max(this.begin, t));
    this.changed();
  }

  play() {
    if (this.playing || this.end <= this.begin) return;
    if (this.t >= this.end) this.t = this.begin;
    this.playing = true;
    this.last = undefined;
    this.request = requestAnimationFrame(this.tick);
    this.changed();
  }

  pause() {
    cancelAnimationFrame(this.request);
    this.playing = false;
    this.changed();
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  tick(now) {
    // A pause of the browser, such as a hidden tab, is not caught up.
    const passed = this.last === undefined ? 0 : Math.min(now - this.last, 250) / 1000;
    this.last = now;
    this.t += passed * this.speed;
    if (this.t >= this.end) this.t = this.begin;
    this.request = requestAnimationFrame(this.tick);
    this.changed();
  }
}

// Real time, unless the motion would be over at once or take more than ten minutes.
function natural_speed(span) {
  if (!(span > 0) || (span >= 0.5 && span <= 600)) return 1;
  const off = (speed) => Math.abs(Math.log(span / speed / 15));
  return speeds.reduce((best, speed) => (off(speed) < off(best) ? speed : best), 1);
}
