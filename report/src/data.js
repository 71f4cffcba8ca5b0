// The data block of the page (schema.json) and its arrays.

export const format = "extremal-report";
export const version = 1;

export class DataError extends Error {}

export function read_data(text) {
  if (text.trim() === "" || text.startsWith("@"))  // the mark of the template
    throw new DataError("This is the empty template of a report. `extremal report ARCHIVE` fills it.");
  let data;
  try {
    data = JSON.parse(text);
  } catch (error) {
    throw new DataError(`The data of this report cannot be read: ${error.message}`);
  }
  if (data.format !== format) throw new DataError(`The data of this page are not an ${format}.`);
  if (data.version !== version)
    throw new DataError(`The data have version ${data.version}; this page reads version ${version}.`);
  return data;
}

// values: a plain array, or {"f32": base64} or {"f64": base64}, little-endian. NaN and null are gaps.
export function decode(values) {
  if (Array.isArray(values)) return values;
  const bytes = Uint8Array.from(atob(values.f32 ?? values.f64), (c) => c.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  const size = values.f32 !== undefined ? 4 : 8;
  const numbers = size === 4 ? new Float32Array(bytes.length / 4) : new Float64Array(bytes.length / 8);
  for (let i = 0; i < numbers.length; ++i)
    numbers[i] = size === 4 ? view.getFloat32(4 * i, true) : view.getFloat64(8 * i, true);
  return numbers;
}
