// The protocol rigproof.subject/1 for subjects in JavaScript: one line of JSON for each request, in order.
// A subject gives its name, its version, what it gives, and two functions:
//   open(path)                            -> a model, kept until another is asked for
//   pose(model, clip, clipIndex, time, wants) -> {nodes, palette, skin}
import {createInterface} from 'node:readline';
import {writeSync} from 'node:fs';

// What an engine prints is for people.
for (const what of ['log', 'info', 'warn', 'debug', 'error']) {
  console[what] = (...args) => process.stderr.write(args.map(String).join(' ') + '\n');
}

function say(answer) {
  const bytes = Buffer.from(JSON.stringify(answer, (key, value) => (Number.isNaN(value) ? null : value)) + '\n');
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error; // a full pipe
    }
  }
}

export function f32(values) {
  return {f32: Buffer.from(Float32Array.from(values).buffer).toString('base64')};
}

export async function serve({name, version, conventions, open, pose}) {
  let model = null;
  let path = null;
  let why = null; // the last model could not be read
  for await (const line of createInterface({input: process.stdin, crlfDelay: Infinity})) {
    const request = JSON.parse(line);
    if (request.request === 'hello') {
      say({protocol: 'rigproof.subject/1', name, version, gives: ['nodes', 'palette', 'skin'], conventions});
      continue;
    }
    try {
      if (request.model !== path) {
        path = request.model;
        model = null;
        why = null;
        try {
          model = await open(path);
        } catch (error) {
          process.stderr.write(`${error?.stack ?? error}\n`);
          why = `cannot read the model: ${error?.message ?? error}`;
        }
      }
      if (why) throw new Error(why);
      say({id: request.id, ...(await pose(model, request.clip ?? null, request.clip_index, request.time, request.wants))});
    } catch (error) {
      process.stderr.write(`${error?.stack ?? error}\n`);
      say({id: request.id, error: String(error?.message ?? error).slice(0, 900) || 'an error without a text'});
    }
  }
}

// The clip of that name; of several, or where names are lost, the one at that place in the file.
export function choose(clips, clip, index) {
  const named = clips.filter((one) => one.name === clip);
  if (named.length === 1) return named[0];
  if (index !== undefined && clips[index] && (named.length === 0 || named.includes(clips[index]))) return clips[index];
  if (named.length > 0) return named[0];
  throw new Error(`no clip "${clip}"`);
}
