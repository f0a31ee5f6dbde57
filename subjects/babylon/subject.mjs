// Babylon.js as a subject of rigproof: glTF through its loader, on the engine that draws nothing.
import {serve, choose, f32} from './jsonlines.mjs'; // first: it keeps stdout for answers
import {NullEngine, Scene, ImportMeshAsync, Vector3} from '@babylonjs/core';
import * as core from '@babylonjs/core';
import '@babylonjs/loaders/glTF/index.js';
import {isGltf, selfContained} from './gltf_uris.mjs';

const FRAMES = 60; // glTF's seconds are frames at this rate in Babylon.js
const engine = new NullEngine();
let scene = null;

async function open(path) {
  if (!isGltf(path)) throw new Error('Babylon.js reads glTF only');
  scene?.dispose();
  scene = new Scene(engine);
  scene.useRightHandedSystem = true;
  const json = selfContained(path);
  const made = await ImportMeshAsync(`data:${JSON.stringify(json)}`, scene, {
    pluginExtension: '.gltf',
    pluginOptions: {gltf: {skipMaterials: true, animationStartMode: 0}},
  });
  const order = depthFirst(json);
  const model = {json, made, names: new Map(), skinned: new Set(), rank: new Map(), rest: []};
  for (const node of [...scene.transformNodes, ...scene.meshes]) {
    const index = pointer(node, /^\/nodes\/(\d+)$/);
    model.rank.set(node, order.indexOf(index));
    if (index !== null && json.nodes[index].skin !== undefined) model.skinned.add(node);
    if (index !== null) model.names.set(node, json.nodes[index].name ?? `nodes[${index}]`);
    node.rotationQuaternion ??= core.Quaternion.FromEulerVector(node.rotation);
    model.rest.push({node, t: node.position.clone(), r: node.rotationQuaternion.clone(), s: node.scaling.clone()});
  }
  return model;
}

function depthFirst(json) {
  const order = [];
  const visit = (index) => {
    order.push(index);
    for (const child of json.nodes[index].children ?? []) visit(child);
  };
  for (const root of json.scenes?.[json.scene ?? 0]?.nodes ?? []) visit(root);
  return order;
}

// Where an object stands in the glTF document.
function pointer(object, pattern) {
  for (const one of object._internalMetadata?.gltf?.pointers ?? []) {
    const found = pattern.exec(one);
    if (found) return Number(found[1]);
  }
  return null;
}

function nameOf(model, node) {
  return model.names.get(node) ?? node.name;
}

function rest(model) {
  for (const group of model.made.animationGroups) group.stop();
  for (const {node, t, r, s} of model.rest) {
    node.position.copyFrom(t);
    node.rotationQuaternion.copyFrom(r);
    node.scaling.copyFrom(s);
  }
  for (const mesh of scene.meshes) {
    const targets = mesh.morphTargetManager;
    const index = pointer(mesh, /^\/nodes\/(\d+)/);
    if (!targets || index === null) continue;
    const {weights, mesh: of} = model.json.nodes[index];
    const own = weights ?? model.json.meshes[of]?.weights ?? [];
    for (let at = 0; at < targets.numTargets; at++) targets.getTarget(at).influence = own[at] ?? 0;
  }
}

function play(model, clip, index, time) {
  rest(model);
  if (clip !== null) {
    const group = choose(model.made.animationGroups, clip, index);
    group.start(false);
    group.pause();
    group.goToFrame(Math.min(time * FRAMES, group.to));
  }
  for (const node of [...scene.transformNodes, ...scene.meshes]) node.computeWorldMatrix(true);
  for (const skeleton of scene.skeletons) skeleton.prepare(true);
}

// In the order of the document's tree. The node of a skinned mesh has a name only: Babylon.js hangs such meshes below the root,
// as glTF ignores that node's transform.
function nodes(model) {
  const all = [...scene.transformNodes, ...scene.meshes].filter((node) => model.names.has(node));
  all.sort((a, b) => model.rank.get(a) - model.rank.get(b));
  return all.map((node) => (model.skinned.has(node) ? {name: nameOf(model, node)} : {
    name: nameOf(model, node),
    parent: node.parent && model.names.has(node.parent) ? nameOf(model, node.parent) : null,
    t: node.position.asArray(),
    r: node.rotationQuaternion.asArray(),
    s: node.scaling.asArray(),
    global: Array.from(node.getWorldMatrix().asArray()),
  }));
}

// Babylon.js uploads matrices in the space of the mesh.
function palette(model, mesh) {
  const all = mesh.skeleton.getTransformMatrices(mesh);
  return mesh.skeleton.bones.filter((bone) => bone.getIndex() >= 0).map((bone) => ({
    mesh: nameOf(model, mesh),
    bone: bone.getTransformNode() ? nameOf(model, bone.getTransformNode()) : bone.name,
    matrix: Array.from(core.Matrix.FromArray(all, 16 * bone.getIndex()).multiply(mesh.getWorldMatrix()).asArray()),
  }));
}

function skin(model, mesh) {
  const local = mesh.getPositionData(true, true);
  const world = mesh.getWorldMatrix();
  const positions = new Float32Array(local.length);
  for (let at = 0; at < local.length; at += 3) {
    Vector3.TransformCoordinates(Vector3.FromArray(local, at), world).toArray(positions, at);
  }
  return {mesh: nameOf(model, mesh), vertices: positions.length / 3, positions: f32(positions)};
}

function pose(model, clip, index, time, wants) {
  play(model, clip, index, time);
  const meshes = scene.meshes.filter((mesh) => mesh.getTotalVertices() > 0);
  return {
    nodes: nodes(model),
    palette: meshes.filter((mesh) => mesh.skeleton).flatMap((mesh) => palette(model, mesh)),
    skin: wants.includes('skin') ? meshes.map((mesh) => skin(model, mesh)) : undefined,
  };
}

await serve({name: 'Babylon.js', version: core.AbstractEngine.Version, conventions: {storage: 'columns', space: 'scene', bones: 'mesh'}, open, pose});
process.exit(0); // the engine's timers would keep the process
