'use strict';
/* The viewer's page against numbers of `dump`: the sampler, the palette, the skinning of the GPU; and how it is used. */

const cases = JSON.parse(document.getElementById('cases').textContent);
const contentOf = (name) => JSON.parse(document.getElementById('content-' + name).textContent);
const box = document.getElementById('viewer');
Object.assign(box.style, {width: '640px', height: '500px'}); /* pixels take time here */
let viewer = null;

function show(name, options) {
    if (viewer)
        viewer.close();
    viewer = modelViewer.open(box, contentOf(name), options);
    return viewer;
}

/* The largest difference, as a share of `size`. */
function farthest(found, wanted, size) {
    yes(found.length === wanted.length, `${found.length} numbers, wanted ${wanted.length}`);
    return wanted.reduce((most, value, i) => Math.max(most, Math.abs(found[i] - value) / size), 0);
}

const rowsOf = (matrices, i) => Array.from({length: 12}, (_, k) => matrices[16 * i + 4 * (k % 4) + (k >> 2)]);

/* One record of `dump --json --vertices`: what is wrong beyond the limits, with their numbers. */
function compareRecord(record, limits, side = 0) {
    const {pose, model} = viewer.sides[side], worst = {local: 0, global: 0, palette: 0, position: 0, normal: 0};
    const note = (what, value) => { worst[what] = Math.max(worst[what], value); };
    const spans = record.skin.map((mesh) => Math.hypot(...mesh.max.map((value, c) => value - mesh.min[c])));
    const size = Math.max(1e-9, ...spans, ...record.skin.flatMap((mesh) => [...mesh.max, ...mesh.min].map((value) => 0.1 * Math.abs(value))));
    record.nodes.forEach((node, n) => {
        equal(model.nodes.names[n], node.name, 'name of node ' + n);
        note('global', farthest(rowsOf(pose.globals, n), node.global, Math.max(1, ...node.global.map(Math.abs))));
        if (!node.t)
            return;
        const local = [...pose.local.subarray(10 * n, 10 * n + 10)], turned = local.slice(3, 7), against = node.r.map((value) => -value);
        note('local', farthest(local.slice(0, 3), node.t, Math.max(1, ...node.t.map(Math.abs))));
        note('local', Math.min(farthest(turned, node.r, 1), farthest(turned, against, 1)));
        note('local', farthest(local.slice(7), node.s, Math.max(1, ...node.s.map(Math.abs))));
    });
    record.palette.forEach((entry, b) => note('palette', farthest(rowsOf(pose.palette, b), entry.matrix, Math.max(1, ...entry.matrix.map(Math.abs)))));
    record.skin.forEach((mesh, i) => {
        const vertices = viewer.verticesOf(side, i);
        mesh.positions.forEach((position, v) => note('position', farthest(vertices.subarray(11 * v, 11 * v + 3), position, size)));
        mesh.normals.forEach((normal, v) => note('normal', farthest(vertices.subarray(11 * v + 3, 11 * v + 6), normal, 1)));
    });
    return Object.entries(worst).filter(([what, value]) => !(value <= limits[what])).map(([what, value]) => `${what} ${value.toExponential(2)}`);
}

const EXACT = {local: 2e-6, global: 4e-6, palette: 1e-5, position: 1e-5, normal: 2e-4};

function numbersAreThoseOfTheProgram() {
    for (const {name, state, records, limits} of cases) {
        show(name);
        for (const record of records) {
            viewer.set({film: false, ...state, time: record.time});
            viewer.update();
            equal(compareRecord(record, {...EXACT, ...limits}), [], `${name} at ${record.time} s`);
            equal(viewer.gpu.gl.getError(), 0, 'GL');
        }
    }
}

/* Where a point of the scene is on the page. */
function pagePoint(place) {
    const {canvas, resolved} = viewer, at = canvas.getBoundingClientRect(), m = resolved.sceneToClip;
    const clip = [0, 1, 3].map((r) => m[r] * place[0] + m[4 + r] * place[1] + m[8 + r] * place[2] + m[12 + r]);
    return [at.left + (clip[0] / clip[2] + 1) / 2 * at.width, at.top + (1 - clip[1] / clip[2]) / 2 * at.height];
}

function aPixelNamesItsBones() {
    show('walker-walk');
    viewer.set({clip: 'walk', time: 0.25});
    viewer.draw();
    viewer.draw(); /* at the size that the bars leave */
    const {model, pose} = viewer.sides[0], node = (name) => model.nodes.names.indexOf(name);
    const placeOf = (n) => [12, 13, 14].map((i) => pose.globals[16 * n + i]);
    const neck = placeOf(node('neck')), picked = viewer.pickPoint(...pagePoint([neck[0], neck[1] + 0.35, neck[2]]));
    yes(picked, 'something is above the neck');
    equal(picked.mesh, 'body-0', 'mesh');
    equal(model.nodes.names[picked.bones[0].node], 'head', 'bone');
    yes(Math.abs(picked.bones.reduce((sum, bone) => sum + bone.weight, 0) - 1) < 1e-4, 'weights add up to 1');
    const back = pagePoint(picked.place), wanted = pagePoint([neck[0], neck[1] + 0.35, neck[2]]);
    yes(Math.hypot(back[0] - wanted[0], back[1] - wanted[1]) < 1, 'the place is under the pixel');
    const {mesh} = viewer.sides[0].gpuModel.meshes[picked.instance], corners = mesh.indices.slice(3 * picked.triangle, 3 * picked.triangle + 3);
    const own = (v, n) => { /* as the mesh has it */
        let sum = 0;
        for (let i = mesh.skin.first[v]; i < mesh.skin.first[v + 1]; i++)
            sum += mesh.skin.nodes[mesh.skin.bones[i]] === n ? mesh.skin.weights[i] : 0;
        return sum;
    };
    const knee = viewer.pickPoint(...pagePoint(placeOf(node('shin_L'))));
    yes(knee && knee.bones.length > 1, 'two bones hold the knee');
    const {mesh: kneeMesh} = viewer.sides[0].gpuModel.meshes[knee.instance], three = kneeMesh.indices.slice(3 * knee.triangle, 3 * knee.triangle + 3);
    const most = Math.max(...[...three].map((v) => own(v, knee.bones[0].node)));
    yes(corners.length === 3 && knee.bones[0].weight <= most + 1e-5, 'a weight lies between those of the corners');
    equal(viewer.pickPoint(box.getBoundingClientRect().left + 3, viewer.canvas.getBoundingClientRect().top + 3), null, 'nothing in the corner');
}

async function aClickSelects() {
    const neck = viewer.sides[0].model.nodes.names.indexOf('neck'), pose = viewer.sides[0].pose;
    const [x, y] = pagePoint([12, 13, 14].map((i) => pose.globals[16 * neck + i] + (i === 13 ? 0.35 : 0)));
    const pointer = {clientX: x, clientY: y, pointerId: 1, button: 0, bubbles: true};
    viewer.canvas.setPointerCapture = () => {};
    viewer.canvas.dispatchEvent(new PointerEvent('pointerdown', pointer));
    viewer.canvas.dispatchEvent(new PointerEvent('pointerup', pointer));
    viewer.set({panel: true});
    viewer.draw();
    equal(text('.mv-bone h3'), 'head', 'selected');
    equal(text('.mv-tree [aria-selected=true]'), 'head', 'in the tree');
    yes(text('.mv-pick').includes('body-0'), 'mesh is named');
    equal(all('.mv-bone .mv-matrix').length, 3, 'global and two palette entries');
    const shown = texts('.mv-bone .mv-matrix td').slice(12, 24).map(Number), names = viewer.sides[0].model.nodes.names;
    const entry = viewer.sides[0].model.bindingNodes.indexOf(names.indexOf('head'));
    yes(farthest(shown, rowsOf(pose.palette, entry), 1) < 6e-5, 'the palette entry as numbers');
}

function bonesAreSearched() {
    type('.mv-search input', 'HAND');
    equal(all('.mv-tree li').filter((row) => !row.hidden).map((row) => row.textContent), ['hand_L', 'hand_R'], 'found');
    press('Enter', one('.mv-search input'));
    viewer.draw();
    equal(viewer.sides[0].model.nodes.names[viewer.state.selected], 'hand_L', 'the first is chosen');
    type('.mv-search input', '');
    yes(all('.mv-tree li').filter((row) => !row.hidden).length > 20, 'all again');
    const row = all('.mv-tree li').find((item) => item.textContent === 'hand_L');
    row.focus();
    press('ArrowLeft', row);
    equal(row.getAttribute('aria-expanded'), 'false', 'closed by a key');
}

/* The weight of a blend while it plays, the camera, the next bone. */
function byHand() {
    viewer.set({clip: 'walk', blend: 'wave', share: 0.5, panel: true});
    viewer.draw();
    type('[aria-label="Share of the second clip"]', '0.25');
    equal(viewer.state.share, 0.25, 'the slider');
    const {yaw} = viewer.orbit(), canvas = viewer.canvas, place = {pointerId: 7, button: 0, bubbles: true, clientX: 100, clientY: 100};
    canvas.setPointerCapture = () => {};
    canvas.dispatchEvent(new PointerEvent('pointerdown', place));
    canvas.dispatchEvent(new PointerEvent('pointermove', {...place, clientX: 180}));
    canvas.dispatchEvent(new PointerEvent('pointerup', {...place, clientX: 180}));
    yes(Math.abs(viewer.orbit().yaw - yaw) > 1, 'dragged: ' + viewer.orbit().yaw);
    const shown = all('.mv-tree li').filter((row) => !row.hidden), at = shown.findIndex((row) => row.textContent === 'head');
    shown[at].focus();
    press('ArrowDown', shown[at]);
    press('Enter', document.activeElement);
    viewer.draw();
    equal(viewer.sides[0].model.nodes.names[viewer.state.selected], shown[at + 1].textContent, 'the next bone');
    viewer.set({blend: undefined});
    press('R', canvas);
}

function keysWork() {
    viewer.set({clip: 'walk', time: 0.25, view: 'lit', playing: false});
    press('ArrowRight', viewer.canvas);
    yes(Math.abs(viewer.state.time - 7 / 24) < 1e-9, 'a frame on: ' + viewer.state.time);
    viewer.canvas.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowLeft', shiftKey: true, bubbles: true}));
    yes(viewer.state.time === 0, 'ten back end at the beginning: ' + viewer.state.time);
    press('End', viewer.canvas);
    equal(viewer.state.time, viewer.duration(), 'end');
    press('6', viewer.canvas);
    equal(viewer.state.view, 'bones', 'view');
    press('k', viewer.canvas);
    yes(viewer.state.overlays.has('skeleton'), 'skeleton');
    press(']', viewer.canvas);
    yes(viewer.state.clip !== 'walk', 'next clip');
    press('?', viewer.canvas);
    yes(viewer.help.open, 'help');
    viewer.help.close();
    press(' ', viewer.canvas);
    yes(viewer.state.playing, 'plays');
    press(' ', viewer.canvas);
    press('k', viewer.canvas);
    const before = viewer.orbit().yaw;
    press('d', viewer.canvas);
    yes(viewer.orbit().yaw !== before, 'turns');
}

function everyViewDraws() {
    const gl = viewer.gpu.gl, sums = new Map();
    viewer.set({clip: 'walk', time: 0.25, selected: viewer.sides[0].model.nodes.names.indexOf('head'), orbit: null});
    for (const option of [...one('[aria-label=View]').options]) {
        viewer.set({view: option.value});
        viewer.draw();
        const {width, height} = viewer.canvas, pixels = new Uint8Array(4 * width * height);
        gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
        equal(gl.getError(), 0, option.value);
        yes(pixels.some((byte, i) => i % 4 === 3 && byte === 255), option.value + ' shows something');
        sums.set(option.value, pixels.reduce((sum, byte, i) => (sum * 31 + byte * (i % 7 + 1)) % 1000003, 0));
    }
    equal(new Set(sums.values()).size, sums.size, 'each is another picture');
    for (const box of all('.mv-menu input')) {
        viewer.toggleOverlay(box.value, true);
        viewer.draw();
        equal(gl.getError(), 0, box.value);
    }
}

async function pixelsOf(uri) {
    const image = new Image();
    image.src = uri;
    await image.decode();
    const context = Object.assign(document.createElement('canvas'), {width: image.width, height: image.height}).getContext('2d');
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height).data;
}

/* Pixels that both have whole: how many are apart by more than 24 levels, and how many levels they are apart on average. */
async function viewsAreThoseOfThePictures() {
    const wrong = [];
    let shown = null;
    for (const {name, content, view, uri} of JSON.parse(document.getElementById('pictures').textContent)) {
        if (!viewer || shown !== content) {
            show(content);
            shown = content;
            await viewer.sides[0].gpuModel.loaded;
        }
        viewer.set({view, panel: false, selected: name === 'weight-hips' ? viewer.sides[0].model.nodes.names.indexOf('hips') : null});
        Object.assign(viewer.canvas.style, {width: '400px', height: '400px', inset: 'auto'});
        viewer.draw();
        viewer.draw(); /* at its new size */
        const gl = viewer.gpu.gl, size = viewer.canvas.width, found = new Uint8Array(4 * size * size), wanted = await pixelsOf(uri);
        equal([viewer.canvas.width, viewer.canvas.height], [400, 400], 'size');
        gl.readPixels(0, 0, size, size, gl.RGBA, gl.UNSIGNED_BYTE, found);
        let both = 0, far = 0, sum = 0;
        for (let y = 0; y < size; y++)
            for (let x = 0; x < size; x++) {
                const a = 4 * (y * size + x), b = 4 * ((size - 1 - y) * size + x);
                if (found[b + 3] < 255 || wanted[a + 3] < 255)
                    continue;
                const off = Math.max(...[0, 1, 2].map((c) => Math.abs(found[b + c] - wanted[a + c])));
                both++;
                far += off > 24;
                sum += off;
            }
        say(`note ${name}: ${both} pixels, ${(100 * far / both).toFixed(2)} % apart, ${(sum / both).toFixed(2)} levels on average`);
        const shaded = viewer.state.view === 'studio'; /* where pictures have shade in corners */
        if (!(both > 3000 && far / both < (shaded ? 0.12 : 0.04) && sum / both < (shaded ? 12 : 5)))
            wrong.push(name);
    }
    equal(wrong, [], 'views unlike their pictures');
}

async function aLinkShowsTheSame() {
    history.replaceState(null, '', '#t=0.5&clip=wave&blend=0.25:walk&view=bones&show=skeleton,grid&bone=hand_L&camera=40,5,3,0.1,0.6,0,30,0');
    show('walker-walk', {page: true});
    const {state} = viewer;
    equal([state.time, state.clip, state.blend, state.share, state.view], [0.5, 'wave', 'walk', 0.25, 'bones'], 'state');
    equal([...state.overlays], ['skeleton', 'grid'], 'overlays');
    equal(viewer.sides[0].model.nodes.names[state.selected], 'hand_L', 'bone');
    equal(viewer.camera().target, [0.1, 0.6, 0], 'camera');
    viewer.set({time: 0.75});
    await until(() => location.hash.includes('t=0.75'), 'the address follows');
    yes(location.hash.includes('camera=40%2C5%2C3%2C0.1%2C0.6%2C0%2C30%2C0'), location.hash);
    history.replaceState(null, '', '#t=x&clip=none&view=constructor&show=toString&bone=nobody&camera=1,2&blend=9');
    show('walker-walk', {page: true});
    equal([viewer.state.selected, viewer.state.view, viewer.state.overlays.size, viewer.state.orbit, viewer.state.time],
          [null, viewer.content.start.view, 0, null, 0], 'nonsense is left out');
    history.replaceState(null, '', '#');
}

function twoPosesAreCompared() {
    show('pair');
    equal(viewer.sides.length, 2, 'sides');
    viewer.set({view: 'displacement'});
    for (const compare of ['over', 'beside', 'first', 'second']) {
        viewer.set({compare});
        viewer.draw();
        equal(viewer.gpu.gl.getError(), 0, compare);
    }
    viewer.set({compare: 'over'});
    viewer.draw();
    let most = 0;
    for (const mesh of [0, 1]) {
        const [a, b] = [viewer.verticesOf(0, mesh), viewer.verticesOf(1, mesh)];
        for (let v = 0; v < a.length; v += 11)
            most = Math.max(most, Math.hypot(a[v] - b[v], a[v + 1] - b[v + 1], a[v + 2] - b[v + 2]));
    }
    yes(most > 0.01 && Math.abs(viewer.largest - most) < 1e-6, `largest ${viewer.largest}, wanted ${most}`);
    yes(viewer.range >= most && viewer.range <= 2.5 * most, 'range of the colours');
    yes(text('.mv-legend').includes('displacement from'), text('.mv-legend'));
    equal(all('.mv-caption').length, 2, 'both are named');
    viewer.selectName('hand_L');
    viewer.set({panel: true});
    viewer.draw();
    yes(all('.mv-bone .mv-differs').length > 0, 'numbers that differ are marked');
    const {posed} = JSON.parse(document.getElementById('pair').textContent);
    equal(compareRecord(posed, {...EXACT, local: 9}, 1), [], 'the pose is the one of the file');
}

/* One in metres and one in centimetres, whose clip is called "rig|walk": the same place within a thousandth. */
function twoFormatsLieOverEachOther() {
    show('two');
    viewer.update();
    const boxes = [0, 1].map((side) => {
        const min = [Infinity, Infinity, Infinity], max = [-Infinity, -Infinity, -Infinity];
        viewer.sides[side].gpuModel.meshes.forEach((_, i) => {
            const vertices = viewer.verticesOf(side, i);
            for (let v = 0; v < vertices.length; v += 11)
                for (let c = 0; c < 3; c++) {
                    min[c] = Math.min(min[c], vertices[v + c]);
                    max[c] = Math.max(max[c], vertices[v + c]);
                }
        });
        return [...min, ...max];
    });
    yes(farthest(boxes[1], boxes[0], 1) < 1e-3, JSON.stringify(boxes));
}

/* The shortest ends of their paths that tell them apart. */
function modelsOfOneNameAreToldApart() {
    equal(contentOf('same').sides.map((side) => side.label), ['old/models/hero.gltf', 'new/models/hero.gltf'], 'labels');
}

function namesStayText() {
    show('hostile');
    viewer.set({panel: true, overlays: new Set(['names', 'label']), selected: 1});
    viewer.draw();
    const {names} = viewer.sides[0].model.nodes;
    yes(names.some((name) => name.includes('</' + 'script>')), JSON.stringify(names));
    yes(names.some((name) => name.includes('\u2028')), 'line separator');
    yes(texts('.mv-tree li').some((name) => name.includes('<img src=x onerror=alert(1)>')), 'as text');
    equal(document.querySelectorAll('#viewer img, #viewer script').length, 0, 'no element comes of a name');
}

/* A slider holds a weight against the clip until it is given back. */
function morphsHaveSliders() {
    show('shapes');
    viewer.set({panel: true, time: 0.3});
    viewer.draw();
    const sliders = all('.mv-morphs input'), before = [...viewer.sides[0].pose.weights];
    equal(sliders.length, viewer.sides[0].model.instances.reduce((sum, {mesh}) => sum + viewer.sides[0].model.meshes[mesh].targets.length, 0), 'sliders');
    equal(new Set(texts('.mv-morphs bdi')).size, sliders.length, 'names');
    sliders[0].value = 0.75;
    sliders[0].dispatchEvent(new Event('input'));
    viewer.set({time: 0.4});
    viewer.draw();
    yes(Math.abs(viewer.sides[0].pose.weights[0] - 0.75) < 1e-6, 'the weight: ' + viewer.sides[0].pose.weights[0]);
    click('.mv-morphs button');
    viewer.set({time: 0.3});
    viewer.draw();
    equal([...viewer.sides[0].pose.weights], before, 'as the clip has them');
    equal(document.querySelector('.mv-boneless') !== null, !viewer.sides[0].model.nodes.isBone.includes(true), 'the tree is there for bones alone');
    const content = contentOf('shapes'), {weightCount, bindingNodes} = viewer.sides[0].model;
    const morphed = content.models[0].instances.find(({mesh}) => content.models[0].meshes[mesh].targets.length > 0);
    content.models[0].instances.push({...morphed, first_weight: weightCount, first_binding: bindingNodes.length});
    viewer.close();
    viewer = modelViewer.open(box, content); /* a mesh of two parts */
    viewer.set({panel: true});
    viewer.draw();
    const again = all('.mv-morphs input');
    equal(again.length, sliders.length, 'one slider for both parts');
    again[0].value = 0.5;
    again[0].dispatchEvent(new Event('input'));
    viewer.draw();
    equal([viewer.sides[0].pose.weights[morphed.first_weight], viewer.sides[0].pose.weights[weightCount]], [0.5, 0.5], 'both follow it');
}

/* Two poses of the same place: what is drawn last, a ghost, does not come through. */
function nothingFightsForPixels() {
    const content = contentOf('two');
    content.sides[1] = {...content.sides[0], label: 'same'};
    viewer.close();
    viewer = modelViewer.open(box, content);
    viewer.set({panel: false, compare: 'second', view: 'normals'});
    viewer.draw();
    const pixels = () => {
        const gl = viewer.gpu.gl, out = new Uint8Array(4 * viewer.canvas.width * viewer.canvas.height);
        gl.readPixels(0, 0, viewer.canvas.width, viewer.canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, out);
        return out;
    };
    viewer.draw();
    const alone = pixels();
    viewer.set({compare: 'over'});
    viewer.draw();
    const over = pixels(), solid = alone.filter((byte, i) => i % 4 === 3 && byte === 255).length;
    const changed = over.filter((_, i) => i % 4 === 0 && alone[i + 3] === 255 && Math.abs(over[i] - alone[i]) > 8).length;
    yes(solid > 3000 && changed < 0.03 * solid, changed + ' of ' + solid + ' pixels show the ghost');
}

function aFilmTurns() {
    show('film');
    equal([viewer.state.film, viewer.film.times.length], [true, 4], 'film');
    const eyes = [0, 1, 2, 3].map((frame) => {
        viewer.set({time: frame / viewer.film.fps});
        viewer.draw();
        return viewer.camera().eye.map((value) => value.toFixed(3)).join();
    });
    equal(new Set(eyes).size, 4, 'four cameras');
    viewer.turn(30, 0);
    equal(viewer.state.film, false, 'a hand takes over');
}

function nothingIsAskedFor() {
    equal(performance.getEntriesByType('resource').map((entry) => entry.name), [], 'requests');
}

run([numbersAreThoseOfTheProgram, aPixelNamesItsBones, aClickSelects, bonesAreSearched, byHand, keysWork, everyViewDraws, viewsAreThoseOfThePictures, aLinkShowsTheSame,
     twoPosesAreCompared, twoFormatsLieOverEachOther, modelsOfOneNameAreToldApart, morphsHaveSliders, nothingFightsForPixels, namesStayText, aFilmTurns, nothingIsAskedFor]);
