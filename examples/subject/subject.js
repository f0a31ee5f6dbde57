#!/usr/bin/env node
// A glTF evaluator as a subject of rigproof: LINEAR and STEP clips of a .gltf with its data inside, up to the clip's end.
const fs = require("fs");

function read(gltf, accessor) {
  const a = gltf.accessors[accessor], view = gltf.bufferViews[a.bufferView], size = {SCALAR: 1, VEC3: 3, VEC4: 4}[a.type];
  const data = Buffer.from(gltf.buffers[view.buffer].uri.split(",")[1], "base64"), at = (view.byteOffset || 0) + (a.byteOffset || 0);
  return Array.from({length: a.count}, (_, i) => Array.from({length: size}, (_, k) => data.readFloatLE(at + 4 * (size * i + k))));
}

function mix(a, b, u, dot, angle = Math.acos(Math.min(Math.abs(dot), 1))) {
  const [p, q] = angle > 1e-4 ? [Math.sin((1 - u) * angle) / Math.sin(angle), Math.sin(u * angle) / Math.sin(angle)] : [1 - u, u];
  return a.map((x, i) => p * x + (dot < 0 ? -q : q) * b[i]);
}

function pose({model, clip, time}) {
  const gltf = JSON.parse(fs.readFileSync(model, "utf8"));
  const parent = child => {
    const at = gltf.nodes.findIndex(n => (n.children || []).includes(child));
    return at < 0 ? null : at;
  };
  const nodes = gltf.nodes.map((n, i) => ({name: n.name, parent_index: parent(i), t: n.translation || [0, 0, 0], r: n.rotation, s: n.scale}));
  const animation = clip === null ? {channels: []} : gltf.animations.find(a => a.name === clip);
  for (const {sampler: index, target: {node, path}} of animation.channels) {
    const sampler = animation.samplers[index], times = read(gltf, sampler.input).flat(), keys = read(gltf, sampler.output);
    if (keys.length !== times.length) throw new Error("of CUBICSPLINE nothing is known here");
    const k = Math.max(times.filter(t => t <= time).length - 1, 0);
    const n = time <= times[0] || k + 1 === times.length || sampler.interpolation === "STEP" ? k : k + 1;
    const dot = path === "rotation" ? keys[k].reduce((sum, x, i) => sum + x * keys[n][i], 0) : 1;
    nodes[node][path[0]] = mix(keys[k], keys[n], n > k ? (time - times[k]) / (times[n] - times[k]) : 0, dot);
  }
  return nodes;
}

require("readline").createInterface({input: process.stdin}).on("line", line => {
  const request = JSON.parse(line);
  let answer = {protocol: "rigproof.subject/1", name: "example.js", gives: ["nodes"]};
  if (request.request === "pose")
    try { answer = {id: request.id, nodes: pose(request)}; } catch (why) { answer = {id: request.id, error: String(why)}; }
  console.log(JSON.stringify(answer));
});
