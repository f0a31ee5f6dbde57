// three.js as a subject of rigproof: glTF, FBX and COLLADA through its own loaders, AnimationMixer and Skeleton.
import {readFileSync} from 'node:fs';
import {extname} from 'node:path';
import {DOMParser} from '@xmldom/xmldom';

// What the loaders expect of a browser.
globalThis.self = globalThis;
globalThis.window = globalThis;
globalThis.ProgressEvent ??= class {};
globalThis.DOMParser = DOMParser;

const THREE = await import('three');
const {GLTFLoader} = await import('three/addons/loaders/GLTFLoader.js');
const {FBXLoader} = await import('three/addons/loaders/FBXLoader.js');
const {ColladaLoader} = await import('three/addons/loaders/ColladaLoader.js');
const {serve, choose, f32} = await import('./jsonlines.mjs');
const {isGltf, selfContained} = await import('./gltf_uris.mjs');

THREE.TextureLoader.prototype.load = () => new THREE.Texture();
const load = THREE.FileLoader.prototype.load;
THREE.FileLoader.prototype.load = function (url, ...rest) { // files beside the model are pictures, which nobody asks for
  return url.startsWith('data:') ? load.call(this, url, ...rest) : undefined;
};

function gltf(path) {
  const loader = new GLTFLoader();
  loader.register(() => ({name: 'no-textures', loadTexture: async () => new THREE.Texture()}));
  return new Promise((done, failed) => {
    const json = selfContained(path);
    loader.parse(JSON.stringify(json), '', (made) => {
      const names = new Map();
      for (const [object, where] of made.parser.associations) {
        if (where?.nodes !== undefined) names.set(object, json.nodes[where.nodes].name ?? `nodes[${where.nodes}]`);
      }
      done({scene: made.scene, clips: made.animations, names});
    }, failed);
  });
}

// The ids of nodes by what the loader calls them: joints by sid, others by name. Not of those that share it.
function colladaIds(text) {
  const ids = new Map();
  for (const [, attributes] of text.matchAll(/<node\b([^>]*)>/g)) {
    const get = (key) => new RegExp(`\\b${key}\\s*=\\s*"([^"]*)"`).exec(attributes)?.[1];
    const called = get('type') === 'JOINT' ? get('sid') : get('name');
    if (called) ids.set(called, ids.has(called) ? null : get('id'));
  }
  return ids;
}

async function open(path) {
  let model;
  if (isGltf(path)) {
    model = await gltf(path);
  } else if (extname(path).toLowerCase() === '.fbx') {
    const bytes = readFileSync(path);
    const group = new FBXLoader().parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), '');
    model = {scene: group, clips: group.animations, names: new Map()};
  } else if (extname(path).toLowerCase() === '.dae') {
    const text = readFileSync(path, 'utf8');
    const made = new ColladaLoader().parse(text, '');
    if (!made) throw new Error('three.js cannot parse this COLLADA file');
    model = {scene: made.scene, clips: made.scene.animations, names: new Map()};
    const ids = colladaIds(text);
    made.scene.traverse((object) => ids.get(object.name) && model.names.set(object, ids.get(object.name)));
  } else {
    throw new Error('three.js has no loader for this format here');
  }
  model.mixer = new THREE.AnimationMixer(model.scene);
  return model;
}

function nameOf(model, object) {
  return model.names.get(object) ?? object.userData.originalName ?? object.userData.name ?? object.name;
}

function play(model, clip, index, time) {
  model.mixer.stopAllAction(); // restores what the clips before have changed
  if (clip !== null) {
    const action = model.mixer.clipAction(choose(model.clips, clip, index));
    action.setLoop(THREE.LoopOnce, 1);
    action.clampWhenFinished = true;
    action.reset();
    action.play();
    model.mixer.setTime(time);
  }
  model.scene.updateMatrixWorld(true);
}

// A COLLADA node with pivots is a Group, one for each of its transforms below that, and then itself, again by that name.
function isWrapper(object) {
  let inner = object;
  if (!object.name) return false;
  while (inner.children.length === 1 && inner.children[0].name?.startsWith(`${object.name}_`)) inner = inner.children[0];
  return inner !== object && inner.children[0]?.name === object.name;
}

function nodes(model) {
  const found = [];
  model.scene.traverse((object) => {
    if (isWrapper(object)) return;
    found.push({
      name: nameOf(model, object),
      parent: object.parent ? nameOf(model, object.parent) : null,
      local: object.matrix.toArray(),
      global: object.matrixWorld.toArray(),
    });
  });
  return found;
}

// three.js skins in the space of the mesh: inverse(bind) x bone x offset x bind, then the mesh's own matrix.
function palette(model, mesh) {
  const left = mesh.matrixWorld.clone().multiply(mesh.bindMatrixInverse);
  return mesh.skeleton.bones.map((bone, at) => ({
    mesh: nameOf(model, mesh),
    bone: nameOf(model, bone),
    matrix: left.clone().multiply(bone.matrixWorld).multiply(mesh.skeleton.boneInverses[at]).multiply(mesh.bindMatrix).toArray(),
  }));
}

function skin(model, mesh) {
  const point = new THREE.Vector3();
  const positions = [];
  for (let at = 0; at < mesh.geometry.attributes.position.count; at++) {
    mesh.getVertexPosition(at, point);
    point.applyMatrix4(mesh.matrixWorld);
    positions.push(point.x, point.y, point.z);
  }
  return {mesh: nameOf(model, mesh), vertices: positions.length / 3, positions: f32(positions)};
}

function pose(model, clip, index, time, wants) {
  play(model, clip, index, time);
  const meshes = [];
  model.scene.traverse((object) => object.isMesh && meshes.push(object));
  for (const mesh of meshes) mesh.skeleton?.update();
  return {
    nodes: nodes(model),
    palette: meshes.filter((mesh) => mesh.isSkinnedMesh).flatMap((mesh) => palette(model, mesh)),
    skin: wants.includes('skin') ? meshes.map((mesh) => skin(model, mesh)) : undefined,
  };
}

await serve({name: 'three.js', version: `r${THREE.REVISION}`, conventions: {storage: 'columns', space: 'scene', bones: 'mesh'}, open, pose});
