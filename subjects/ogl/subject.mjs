// OGL as a subject of rigproof: glTF through its own GLTFLoader, GLTFAnimation and GLTFSkin.
import {GLTFLoader, Mat4} from 'ogl';
import {serve, choose, f32} from './jsonlines.mjs';
import {selfContained} from './gltf_uris.mjs';

globalThis.Image = class { set src(_) { this.onload?.(); } };
// OGL reads a file only beside a WebGL context. Nothing is drawn, so it gets one that answers nothing.
const renderer = {isWebgl2: true, parameters: {}, state: {textureUnits: []}, bindVertexArray() {}, getExtension() {}};
const gl = new Proxy({renderer}, {get: (known, key) => known[key] ?? (/^[A-Z_0-9]+$/.test(key) ? key : () => '')});

async function open(path) {
  const json = selfContained(path);
  json.scene ??= 0;
  const names = (json.nodes ?? []).map((node, at) => node.name ?? `nodes[${at}]`);
  const made = await GLTFLoader.parse(gl, structuredClone(json), '');
  made.nodes.forEach((node, at) => { node.name = names[at]; });
  const rest = made.nodes.map((node) => [node.position.toArray(), node.quaternion.toArray(), node.scale.toArray()]);
  return {...made, clips: made.animations ?? [], rest};
}

function palette(model, mesh) {
  const owner = model.meshes.find((one) => one.primitives.flat().includes(mesh));
  return mesh.skeleton.joints.map((bone) => (
    {mesh: owner.name, bone: bone.name, matrix: f32(new Mat4().multiply(bone.worldMatrix, bone.bindInverse))}));
}

function pose(model, clip, index, time) {
  model.nodes.forEach((node, at) => {
    node.position.fromArray(model.rest[at][0]);
    node.quaternion.fromArray(model.rest[at][1]);
    node.scale.fromArray(model.rest[at][2]);
  });
  if (clip !== null) {
    const {animation} = choose(model.clips, clip, index);
    animation.elapsed = time;
    animation.update(1, true);
  }
  model.scene.forEach((root) => root.updateMatrixWorld(true));
  const skinned = model.meshes.flatMap((mesh) => mesh.primitives.flat()).filter((mesh) => mesh.skeleton);
  const nodes = model.nodes.map((node) => ({
    name: node.name, parent: node.parent?.name ?? null, local: f32(node.matrix), global: f32(node.worldMatrix)}));
  return {nodes, palette: skinned.flatMap((mesh) => palette(model, mesh))};
}

const conventions = {storage: 'columns', space: 'scene', bones: 'mesh'};
await serve({name: 'ogl', version: '1.0.11', conventions, open, pose});
