// A glTF file with its buffers as data: URIs and without its pictures, so that an engine without a browser can load it from memory.
import {readFileSync} from 'node:fs';
import {dirname, join, extname} from 'node:path';

const CHUNK_JSON = 0x4e4f534a;

function chunks(bytes) {
  const found = [];
  for (let at = 12; at + 8 <= bytes.length;) {
    const length = bytes.readUInt32LE(at);
    found.push({type: bytes.readUInt32LE(at + 4), data: bytes.subarray(at + 8, at + 8 + length)});
    at += 8 + length;
  }
  return found;
}

export function document(path) {
  const bytes = readFileSync(path);
  if (bytes.toString('latin1', 0, 4) !== 'glTF') return {json: JSON.parse(bytes.toString('utf8')), binary: null};
  const all = chunks(bytes);
  const json = all.find((chunk) => chunk.type === CHUNK_JSON);
  const binary = all.find((chunk) => chunk.type !== CHUNK_JSON);
  return {json: JSON.parse(json.data.toString('utf8')), binary: binary ? binary.data : null};
}

export function isGltf(path) {
  return ['.gltf', '.glb'].includes(extname(path).toLowerCase());
}

// One JSON text that needs no file beside it.
export function selfContained(path) {
  const {json, binary} = document(path);
  for (const buffer of json.buffers ?? []) {
    if (buffer.uri?.startsWith('data:')) continue;
    const data = buffer.uri === undefined ? binary : readFileSync(join(dirname(path), decodeURIComponent(buffer.uri)));
    buffer.uri = `data:application/octet-stream;base64,${data.toString('base64')}`;
  }
  const PIXEL = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
  for (const image of json.images ?? []) {
    delete image.bufferView;
    delete image.mimeType;
    image.uri = PIXEL;
  }
  return json;
}
