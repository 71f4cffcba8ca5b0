// The picture that moves by itself: as many parts as the scene has, at the places of its frames.
import assert from "node:assert/strict";
import test from "node:test";
import { moving } from "../moving.mjs";
import { sample } from "../sample/make.mjs";

const { pages } = sample();
const page = (id) => pages.find((one) => one.id === id);

test("a planar motion: bars, supports, times", () => {
  const { scene } = page("four-bar"), svg = moving(page("four-bar"), { frames: 40, seconds: 7 });
  const bars = scene.bodies.flatMap((body) => body.shapes.filter((shape) => shape.kind === "bar")).length;
  assert.equal(svg.match(/<line /g).length, bars + (scene.links?.length ?? 0));
  assert.equal(svg.match(/<path /g).length, scene.ground.length);
  for (const [values] of svg.matchAll(/values="[^"]*"/g)) assert.equal(values.split(";").length, 41);
  assert.match(svg, /dur="7s" repeatCount="indefinite"/);
  // The first places are those of the first frame: x1 and the first of its values.
  for (const [, x, first] of svg.matchAll(/x1="([^"]*)".*?attributeName="x1"[^>]*values="([^;]*);/g)) assert.equal(x, first);
  // Something moves, and stays inside.
  const xs = [...svg.matchAll(/attributeName="x2"[^>]*values="([^"]*)"/g)].flatMap(([, values]) => values.split(";").map(Number));
  assert.ok(Math.max(...xs) - Math.min(...xs) > 100 && Math.min(...xs) >= 0 && Math.max(...xs) <= 760);
});

test("a motion in space is refused", () => assert.throws(() => moving(page("pendulum")), /not planar/));
