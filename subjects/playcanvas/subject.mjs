// PlayCanvas as a subject of rigproof: glTF through its container handler, AnimEvaluator and SkinInstance, without a device.
import {serve, choose, f32} from './jsonlines.mjs'; // first: it keeps stdout for answers
import {isGltf, selfContained} from './gltf_uris.mjs';

const silent = {addEventListener() {}, removeEventListener() {}, getBoundingClientRect: () => ({width: 1, height: 1}), width: 1, height: 1, style: {}};
const pc = await import('playcanvas');

globalThis.window ??= globalThis; // what the engine expects of a browser, once it has seen that this is none
globalThis.document ??= {...silent, createElement: () => ({...silent}), body: silent};

const app = new pc.AppBase({...silent, id: 'rigproof'});
const options = new pc.AppOptions();
options.graphicsDevice = new pc.NullGraphicsDevice({...silent}, {});
options.componentSystems = [pc.RenderComponentSystem, pc.AnimComponentSystem];
options.resourceHandlers = [pc.ContainerHandler, pc.RenderHandler, pc.TextureHandler, pc.MaterialHandler, pc.AnimClipHandler];
app.init(options);

// Materials, pictures, cameras and lights are left out: without a device they cannot be made.
function bufferOf(path) {
  const json = selfContained(path);
  for (const mesh of json.meshes ?? []) for (const primitive of mesh.primitives) delete primitive.material;
  for (const node of json.nodes ?? []) {
    delete node.camera;
    delete node.extensions;
  }
  for (const key of ['materials', 'textures', 'images', 'samplers', 'cameras', 'extensions']) delete json[key];
  const bytes = Buffer.from(JSON.stringify(json));
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
}

function load(path) {
  const asset = new pc.Asset('model', 'container', {url: 'model.gltf', filename: 'model.gltf', contents: bufferOf(path)});
  return new Promise((done, failed) => {
    asset.once('load', () => done(asset));
    asset.once('error', (why) => failed(new Error(String(why))));
    app.assets.add(asset);
    app.assets.load(asset);
  });
}

let last = null;

async function open(path) {
  if (!isGltf(path)) throw new Error('PlayCanvas reads glTF only');
  const before = last;
  last = null;
  before?.entity.destroy();
  before?.asset.unload();
  const asset = await load(path);
  const entity = asset.resource.instantiateRenderEntity();
  app.root.addChild(entity);
  const clips = asset.resource.animations.map((one) => ({name: one.resource.name, track: one.resource}));
  last = {asset, entity, clips, rest: []};
  entity.forEach((node) => last.rest.push({
    node, t: node.getLocalPosition().clone(), r: node.getLocalRotation().clone(), s: node.getLocalScale().clone(),
  }));
  return last;
}

function play(model, clip, index, time) {
  for (const {node, t, r, s} of model.rest) {
    node.setLocalPosition(t);
    node.setLocalRotation(r);
    node.setLocalScale(s);
  }
  if (clip !== null) {
    const {track} = choose(model.clips, clip, index);
    const evaluator = new pc.AnimEvaluator(new pc.DefaultAnimBinder(model.entity));
    const playing = new pc.AnimClip(track, 0, 1, false, false);
    evaluator.addClip(playing);
    playing.time = time;
    evaluator.update(0);
  }
}

function nodes(model) {
  const found = [];
  model.entity.forEach((node) => {
    found.push({
      name: node.name,
      parent: node === model.entity ? null : node.parent.name,
      local: Array.from(node.getLocalTransform().data),
      global: Array.from(node.getWorldTransform().data),
    });
  });
  return found;
}

let updates = 0; // matrices are computed anew for a number that differs from the last

// SkinInstance holds matrices in the space of the mesh's node.
function palette(instance) {
  const skin = instance.skinInstance;
  skin.updateMatrices(instance.node, ++updates);
  const world = instance.node.getWorldTransform();
  return skin.bones.map((bone, at) => ({
    mesh: instance.node.name,
    bone: bone.name,
    matrix: Array.from(new pc.Mat4().mul2(world, skin.matrices[at]).data),
  }));
}

const largest = {[pc.TYPE_INT8]: 127, [pc.TYPE_UINT8]: 255, [pc.TYPE_INT16]: 32767, [pc.TYPE_UINT16]: 65535};

// A stream is given as it is stored: integers are normalised here.
function readNormalised(mesh, semantic, out) {
  const count = mesh.getVertexStream(semantic, out);
  const format = mesh.vertexBuffer.format.elements.find((element) => element.name === semantic);
  const most = (format?.normalize && largest[format.dataType]) || 1;
  for (let at = 0; at < out.length; at++) out[at] /= most;
  return count;
}

function skin(instance) {
  const positions = [];
  const indices = [];
  const weights = [];
  const count = readNormalised(instance.mesh, pc.SEMANTIC_POSITION, positions);
  if (instance.morphInstance?.morph.targets.length || count === 0) return null; // its vertices exist on a GPU only
  const world = instance.node.getWorldTransform();
  const from = new pc.Vec3();
  const to = new pc.Vec3();
  const skinned = instance.skinInstance;
  if (skinned) {
    skinned.updateMatrices(instance.node, ++updates); // two nodes may share them
    instance.mesh.getVertexStream(pc.SEMANTIC_BLENDINDICES, indices);
    readNormalised(instance.mesh, pc.SEMANTIC_BLENDWEIGHT, weights);
  }
  for (let at = 0; at < count; at++) {
    from.set(positions[3 * at], positions[3 * at + 1], positions[3 * at + 2]);
    if (skinned) {
      const sum = new pc.Vec3();
      for (let k = 0; k < 4; k++) {
        const weight = weights[4 * at + k];
        if (weight) sum.add(skinned.matrices[indices[4 * at + k]].transformPoint(from, to).mulScalar(weight));
      }
      from.copy(sum);
    }
    world.transformPoint(from, to);
    positions[3 * at] = to.x;
    positions[3 * at + 1] = to.y;
    positions[3 * at + 2] = to.z;
  }
  return {mesh: instance.node.name, vertices: count, positions: f32(positions)};
}

function pose(model, clip, index, time) {
  play(model, clip, index, time);
  const instances = model.entity.findComponents('render').flatMap((render) => render.meshInstances);
  const matrices = instances.filter((instance) => instance.skinInstance).flatMap(palette);
  const skins = instances.map(skin);
  return {nodes: nodes(model), palette: matrices, skin: skins.includes(null) ? undefined : skins};
}

await serve({name: 'PlayCanvas', version: pc.version, conventions: {storage: 'columns', space: 'scene', bones: 'mesh'}, open, pose});
process.exit(0);
