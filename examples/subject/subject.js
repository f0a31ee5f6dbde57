#!/usr/bin/env node
// A glTF evaluator as a subject of rigproof: local transforms of LINEAR and STEP clips. rigproof check ... --subject
const fs = require("fs"), path = require("path"), readline = require("readline");

function read(gltf, folder, accessor) {
  const a = gltf.accessors[accessor], view = gltf.bufferViews[a.bufferView], uri = gltf.buffers[view.buffer].uri;
  const data = uri.startsWith("data:") ? Buffer.from(uri.split(",")[1], "base64") : fs.readFileSync(path.join(folder, uri));
  const size = {SCALAR: 1, VEC3: 3, VEC4: 4}[a.type], start = (view.byteOffset || 0) + (a.byteOffset || 0);
  return Array.from({length: a.count}, (_, i) => Array.from({length: size}, (_, k) => data.readFloatLE(start + 4 * (size * i + k))));
}

function mix(a, b, u, turns) {
  const dot = a.reduce((sum, x, i) => sum + x * b[i], 0), angle = turns ? Math.acos(Math.min(Math.abs(dot), 1)) : 0;
  const [p, q] = angle > 1e-4 ? [Math.sin((1 - u) * angle) / Math.sin(angle), Math.sin(u * angle) / Math.sin(angle)] : [1 - u, u];
  return a.map((x, i) => p * x + (turns && dot < 0 ? -q : q) * b[i]);
}

function pose({model, clip, time}) {
  const gltf = JSON.parse(fs.readFileSync(model, "utf8")), parent = {}, folder = path.dirname(model);
  gltf.nodes.forEach((n, i) => (n.children || []).forEach(child => { parent[child] = i; }));
  const nodes = gltf.nodes.map((n, i) => ({
    name: n.name, parent: i in parent ? gltf.nodes[parent[i]].name : null,
    t: n.translation || [0, 0, 0], r: n.rotation || [0, 0, 0, 1], s: n.scale || [1, 1, 1]}));
  const animation = clip === null ? {channels: []} : gltf.animations.find(a => a.name === clip);
  if (!animation) throw new Error(`no clip is called ${clip}`);
  for (const channel of animation.channels) {
    const sampler = animation.samplers[channel.sampler], kind = channel.target.path;
    const times = read(gltf, folder, sampler.input).map(k => k[0]), keys = read(gltf, folder, sampler.output);
    if (keys.length !== times.length) throw new Error("only LINEAR and STEP keys are read here");
    const k = Math.max(times.filter(t => t <= time).length - 1, 0);
    const last = k + 1 === times.length || time <= times[0] || sampler.interpolation === "STEP";
    const u = last ? 0 : (time - times[k]) / (times[k + 1] - times[k]);
    nodes[channel.target.node][kind[0]] = last ? keys[k] : mix(keys[k], keys[k + 1], u, kind === "rotation");
  }
  return nodes;
}

readline.createInterface({input: process.stdin}).on("line", line => {
  const request = JSON.parse(line);
  let answer = {protocol: "rigproof.subject/1", name: "example.js", gives: ["nodes"]};
  if (request.request !== "hello") {
    try { answer = {id: request.id, nodes: pose(request)}; } catch (why) { answer = {id: request.id, error: String(why)}; }
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
});
