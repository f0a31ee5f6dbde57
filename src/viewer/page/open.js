/*
 * openViewer(element, content, options): fills the element. Options: page: true where it is all of a page, whose address then
 * keeps what is shown. Gives {close(), set(changes), state, ...}; the tests of the page use the rest of it.
 */

const HASH_DELAY = 300; /* ms */

function startState(content, element) {
    const {start} = content;
    return {
        clip: start.clip, time: start.time, blend: undefined, share: 0, view: start.view, overlays: new Set(start.overlays.filter((name) => OVERLAY_TITLES[name])),
        compare: content.sides.length > 1 ? 'over' : 'first', selected: null, playing: false, speed: 1, follow: start.follows,
        film: Boolean(content.film), orbit: null,
        panel: element.clientWidth > 760 &&
            content.models.some((model) => model.nodes.isBone.includes(true) || model.weightCount > 0),
    };
}

function createViewer(element, content, options) {
    const canvas = make('canvas', {class: 'mv-canvas', tabindex: 0, role: 'img', 'aria-label': 'The model; drag to turn it'});
    const gpu = createGpu(canvas), {start} = content, axes = frontAxes(start.up_axis, start.up_sign);
    const viewer = {
        element, content, options, canvas, gpu, axes, state: startState(content, element), film: content.film, fps: start.fps,
        labels: make('canvas', {class: 'mv-labels', 'aria-hidden': 'true'}), help: make('dialog', {'aria-label': 'Keys'}),
        dirty: true, range: 0,
        picked: null, ending: new AbortController(),
    };
    viewer.sides = createSides(gpu, content, () => { viewer.dirty = true; });
    viewer.clips = (viewer.sides.find((side) => side.model.clips.length > 0) || {model: {clips: []}}).model.clips;
    viewer.sides.forEach((side) => updateSide(gpu, side, viewer.state, start.loops));
    if (!content.models.some((model) => model.meshes.some((mesh) => mesh.indices.length > 0)))
        viewer.state.overlays.add('skeleton'); /* or there is nothing to see */
    viewer.sumRange = findSumRange(viewer.sides);
    viewer.box = start.min ? {min: start.min, max: start.max} : measureBox(gpu, viewer.sides);
    viewer.sphere = sphereAround(viewer.box);
    return viewer;
}

/* ---- times ---- */

function addTimes(viewer) {
    const {state, sides} = viewer;
    viewer.poseTimes = () => [...new Set(sides.flatMap((side) => side.poses.map((pose) => pose.time)))].sort((a, b) => a - b);
    viewer.duration = () => {
        const names = [state.clip, state.blend].filter((name) => name !== null && name !== undefined);
        const clips = sides.filter((side) => side.poses.length === 0).flatMap((side) => names.map((name) => clipOf(side, name)));
        if (viewer.film && state.film)
            return viewer.film.times.length / viewer.film.fps;
        const times = viewer.poseTimes(); /* a single pose has no duration */
        return Math.max(0, ...clips.filter(Boolean).map((clip) => clip.duration), ...(times.length > 1 ? times : []));
    };
    viewer.seek = (time) => viewer.set({time: clamp(time, 0, viewer.duration())});
    viewer.step = (frames) => {
        const rate = viewer.film && state.film ? viewer.film.fps : viewer.fps, last = viewer.duration();
        const frame = Math.round(state.time * rate * 1e3) / 1e3, to = frames > 0 ? Math.floor(frame) + frames : Math.ceil(frame) + frames;
        viewer.play(false);
        viewer.seek(last > 0 && (to < 0 || to / rate > last + 1e-9) ? (frames > 0 ? (frame / rate < last - 1e-6 ? last : 0)
            : frame > 1e-6 ? 0 : last) : to / rate);
    };
    viewer.play = (playing) => viewer.set({playing: playing && viewer.duration() > 0});
}

/* The film's frame at a time of the film. */
function filmFrame(viewer) {
    return clamp(Math.floor(viewer.state.time * viewer.film.fps + 1e-6), 0, viewer.film.times.length - 1);
}

/* ---- camera ---- */

function addCamera(viewer) {
    const {state, axes, content} = viewer, {start} = content;
    viewer.aspect = () => {
        const beside = state.compare === 'beside' && viewer.sides.length > 1, {width, height} = viewer.canvas;
        return (viewer.isTall() || !beside ? width : width / 2) / Math.max(1, viewer.isTall() && beside ? height / 2 : height);
    };
    viewer.isTall = () => viewer.canvas.height > viewer.canvas.width;
    viewer.startOrbit = () => start.camera ? cameraOrbit(start.camera, axes, viewer.sphere) : fitOrbit(viewer.sphere, start.orbit, viewer.aspect());
    viewer.orbit = () => {
        if (viewer.film && state.film)
            return cameraOrbit(viewer.film.cameras[filmFrame(viewer)], axes, viewer.sphere);
        return state.orbit || viewer.startOrbit();
    };
    viewer.camera = () => {
        if (viewer.film && state.film)
            return viewer.film.cameras[filmFrame(viewer)];
        return !state.orbit && start.camera ? start.camera : orbitCamera(viewer.orbit(), axes);
    };
    const take = (orbit) => { /* out of the film's hands, at the time that it shows */
        const leaves = viewer.film && state.film;
        viewer.set({orbit, film: false, ...(leaves ? {time: viewer.film.times[filmFrame(viewer)]} : {})});
    };
    viewer.turn = (dx, dy) => take(turnOrbit(viewer.orbit(), dx, dy));
    viewer.pan = (dx, dy) => take(panOrbit(viewer.orbit(), axes, dx, dy, viewer.canvas.clientHeight));
    viewer.zoom = (factor) => take(zoomOrbit(viewer.orbit(), factor, viewer.sphere));
    viewer.resetCamera = () => viewer.set({orbit: null});
    viewer.frameAll = () => {
        const orbit = viewer.orbit();
        viewer.sphere = sphereAround(measureBox(viewer.gpu, shownSides(viewer)));
        take(fitOrbit(viewer.sphere, [orbit.yaw, orbit.pitch, 1, orbit.fov, 0], viewer.aspect()));
    };
}

/* ---- selection ---- */

function shownSides(viewer) {
    const {sides, state} = viewer;
    return sides.length < 2 || state.compare === 'first' ? [sides[0]] : state.compare === 'second' ? [sides[1]] : sides;
}

/* The selected bone in a side's model: by name where it is another model. */
function nodeOf(viewer, side) {
    const {selected} = viewer.state, own = viewer.sides[0].model;
    if (selected === null || side.model === own)
        return selected === null ? -1 : selected;
    return side.model.nodes.names.indexOf(own.nodes.names[selected]);
}

function addSelection(viewer) {
    const own = viewer.sides[0].model;
    viewer.select = (node) => viewer.set({selected: node, panel: node === null ? viewer.state.panel : viewer.state.panel || viewer.element.clientWidth > 760});
    viewer.selectName = (name) => viewer.set({selected: own.nodes.names.indexOf(name) < 0 ? null : own.nodes.names.indexOf(name)});
    viewer.search = () => {
        viewer.set({panel: true});
        viewer.searchBox.focus();
    };
    /* [side, x, y, size] with x and y from -1 to 1 in the pane there. */
    const paneAt = (clientX, clientY) => {
        const box = viewer.canvas.getBoundingClientRect(), by = viewer.canvas.width / box.width;
        const x = (clientX - box.left) * by, y = viewer.canvas.height - (clientY - box.top) * by;
        const pane = viewer.panes().filter(({at}) => x >= at[0] && x < at[0] + at[2] && y >= at[1] && y < at[1] + at[3]).pop();
        return pane ? {pane, x: 2 * (x - pane.at[0]) / pane.at[2] - 1, y: 2 * (y - pane.at[1]) / pane.at[3] - 1} : null;
    };
    viewer.pickPoint = (clientX, clientY) => {
        const found = paneAt(clientX, clientY);
        const picked = found ? pickAt(viewer.gpu, found.pane.side.skinned, viewer.resolved, found.x, found.y) : null;
        return picked ? {side: found.pane.side, ...describePick(found.pane.side.skinned, picked)} : null;
    };
    viewer.pickFrom = (clientX, clientY) => {
        viewer.picked = viewer.pickPoint(clientX, clientY);
        const best = viewer.picked && viewer.picked.bones[0];
        const name = best ? viewer.picked.side.model.nodes.names[best.node] : null;
        viewer.set({selected: !best ? null : viewer.picked.side.model === own ? best.node : Math.max(own.nodes.names.indexOf(name), 0)});
    };
    viewer.aimFrom = (clientX, clientY) => {
        const picked = viewer.pickPoint(clientX, clientY);
        if (picked)
            viewer.set({orbit: {...viewer.orbit(), target: picked.place}, film: false});
    };
}

/* ---- a frame ---- */

/* Parts of the canvas, each with what is drawn there: {side, ghost, at: [x, y, width, height]}. */
function panesOf(viewer) {
    const {width, height} = viewer.canvas, {sides, state} = viewer, whole = [0, 0, width, height];
    if (sides.length < 2 || state.compare === 'first')
        return [{side: sides[0], at: whole}];
    if (state.compare === 'second')
        return [{side: sides[1], at: whole}];
    if (state.compare === 'over')
        return [{side: sides[1], ghost: sides[0], at: whole}];
    const half = [Math.floor(width / 2), Math.floor(height / 2)];
    return viewer.isTall() ? [{side: sides[0], at: [0, half[1], width, height - half[1]]}, {side: sides[1], at: [0, 0, width, half[1]]}]
                           : [{side: sides[0], at: [0, 0, half[0], height]}, {side: sides[1], at: [half[0], 0, width - half[0], height]}];
}

function drawPane(viewer, pane) {
    const {gpu, state, resolved, sides, content} = viewer, gl = gpu.gl, {side, ghost, at} = pane, size = at.slice(2);
    const ratio = window.devicePixelRatio || 1, isDark = viewer.isDark(), node = nodeOf(viewer, side), on = (name) => state.overlays.has(name);
    const other = otherOf(gpu, sides, sides.indexOf(side), state, content.start.loops), perSecond = state.view === 'speed' ? Math.abs(speedStep(state)) : 1;
    gl.viewport(...at);
    const {up_axis, up_sign} = content.start, floor = !viewer.box ? 0 : up_sign < 0 ? viewer.box.max[up_axis] : viewer.box.min[up_axis];
    if (on('grid')) {
        drawLines(gpu, resolved, gridLines(viewer.sphere, up_axis, floor, isDark ? [1, 1, 1, 0.16] : [0, 0, 0, 0.16]), 0.5 * ratio, size);
    }
    const view = state.view === 'weight' && node < 0 ? 'weights' : state.view;
    drawSkinned(gpu, side.skinned, side.pose, resolved, {view, node, other, range: scaleEnds(viewer, perSecond)});
    if (state.view === 'studio' && side.gpuModel.meshes.length > 0)
        drawGround(gpu, side.skinned, resolved, viewer.axes, sphereAround(viewer.box), up_sign < 0 ? -floor : floor, at);
    if (ghost)
        drawSkinned(gpu, ghost.skinned, ghost.pose, resolved,
            {view: 'clay', ghost: {color: [0.16, 0.42, 0.95, 1], opacity: state.view === 'displacement' ? 0.16 : 0.4}});
    if (on('wireframe'))
        drawWireframe(gpu, side.skinned, resolved, isDark ? [0.95, 0.97, 1, 0.35] : [0.05, 0.07, 0.1, 0.35]);
    if (on('bounds') && viewer.box)
        drawLines(gpu, resolved, boxLines(viewer.box, isDark ? [1, 0.8, 0.3, 1] : [0.7, 0.45, 0, 1]), 0.7 * ratio, size, {hidden: 0.3});
    if (on('axes'))
        drawLines(gpu, resolved, axisLines(0.5 * viewer.sphere.radius), 1 * ratio, size, {hidden: 0.4});
    if (on('skeleton'))
        for (const [which, color] of [[ghost, [0.55, 0.75, 1, 0.9]], [side, [0.96, 0.97, 0.98, 0.95]]].filter(([it]) => it)) {
            const {lines, joints} = skeletonLines(which.model, which.shown, which.pose, nodeOf(viewer, which), color);
            const rim = lines.map(([a, b]) => [a, b, [0.05, 0.06, 0.08, 0.75]]), rims = joints.map(([a, b]) => [a, b, [0.05, 0.06, 0.08, 0.8]]);
            drawLines(gpu, resolved, rim, 1.9 * ratio, size, {hidden: 1});
            drawLines(gpu, resolved, lines, 1.1 * ratio, size, {hidden: 1});
            drawLines(gpu, resolved, rims, 3.6 * ratio, size, {hidden: 1});
            drawLines(gpu, resolved, joints, 2.7 * ratio, size, {hidden: 1});
        }
    if (node >= 0 && !on('skeleton')) {
        const place = nodePlace(side.pose, node);
        drawLines(gpu, resolved, [[place, place, [0.05, 0.06, 0.08, 0.8]]], 5.2 * ratio, size, {hidden: 1});
        drawLines(gpu, resolved, [[place, place, CHOSEN_COLOR]], 4.2 * ratio, size, {hidden: 1});
    }
    if (node >= 0)
        drawLines(gpu, resolved, axisLines(0.12 * viewer.sphere.radius, nodePlace(side.pose, node), (side.pose.placedGlobals || side.pose.globals).subarray(16 * node, 16 * node + 16)),
                  1.1 * ratio, size, {hidden: 0.8});
    return view;
}

function drawNames(viewer) {
    const {labels, canvas, state} = viewer, context = labels.getContext('2d'), ratio = window.devicePixelRatio || 1;
    if (labels.width !== canvas.width || labels.height !== canvas.height)
        Object.assign(labels, {width: canvas.width, height: canvas.height});
    context.clearRect(0, 0, labels.width, labels.height);
    for (const {side, at} of viewer.panes()) {
        const chosen = nodeOf(viewer, side), all = state.overlays.has('names') ? side.shown.map((_, n) => n).filter((n) => side.shown[n]) : [];
        const places = (chosen >= 0 ? [chosen, ...all.filter((n) => n !== chosen)] : all).map((n) => {
            const spot = projectPoint(viewer.resolved, nodePlace(side.pose, n), at[2], at[3]);
            return spot && [spot[0] + at[0], spot[1] + canvas.height - at[1] - at[3],
                            withoutPrefix(side.model.nodes.names[n], side.model.prefix), n === chosen];
        });
        drawLabels(context, places.filter(Boolean), ratio);
    }
}

/* Lower end, middle and upper end of the view's colours, as the shader has them. */
function scaleEnds(viewer, perSecond) {
    const {view} = viewer.state;
    if (view === 'stretch')
        return [-1, 0, 1];
    if (view === 'weight-sum')
        return [1 - viewer.sumRange, 1, 1 + viewer.sumRange];
    const reach = (viewer.range || 1) * perSecond;
    return [0, 0.5 * reach, reach];
}

/* Finds how far a sum of weights is from 1: rounded up, and 1 where it is only what bytes round. */
function findSumRange(sides) {
    let most = 0;
    sides.forEach((side) => side.gpuModel.meshes.forEach(({farFromOne}) => { most = Math.max(most, farFromOne); }));
    return most < 0.5 / 255 ? 1 : roundUp(most);
}

/* Measures how far colours of displacement and speed reach, while nothing plays. */
function updateRange(viewer) {
    const {state, sides, gpu, content} = viewer;
    if (state.view !== 'displacement' && state.view !== 'speed')
        return;
    const pane = viewer.panes().slice(-1)[0], other = otherOf(gpu, sides, sides.indexOf(pane.side), state, content.start.loops);
    const most = largestDistance(gpu, pane.side.skinned, other) / (state.view === 'speed' ? Math.abs(speedStep(state)) : 1);
    viewer.largest = most;
    viewer.range = state.playing ? Math.max(viewer.range, roundUp(most)) : roundUp(most);
}

function drawFrame(viewer) {
    const {gpu, state, sides, content, canvas} = viewer, gl = gpu.gl, ratio = window.devicePixelRatio || 1;
    const width = Math.max(1, Math.round(canvas.clientWidth * ratio)), height = Math.max(1, Math.round(canvas.clientHeight * ratio));
    if (canvas.width !== width || canvas.height !== height)
        Object.assign(canvas, {width, height});
    const before = state.selected !== null && state.follow && sides[0].pose ? nodePlace(sides[0].pose, state.selected) : null;
    viewer.update();
    if (before)
        state.orbit = {...viewer.orbit(), target: add(viewer.orbit().target, subtract(nodePlace(sides[0].pose, state.selected), before))};
    viewer.panes = () => panesOf(viewer);
    viewer.resolved = resolveCamera(viewer.camera(), viewer.sphere, viewer.aspect(), viewer.axes);
    updateRange(viewer);
    gl.viewport(0, 0, width, height);
    gl.clearColor(...viewer.background());
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    viewer.panes().forEach((pane) => drawPane(viewer, pane));
    drawNames(viewer);
    updatePage(viewer);
}

function tick(viewer, now) {
    const {state} = viewer;
    if (viewer.closed)
        return;
    if (state.playing) {
        const duration = viewer.duration(), next = state.time + Math.min(0.25, (now - (viewer.last || now)) / 1000) * state.speed;
        state.time = next > duration ? (viewer.content.start.loops || viewer.film ? next % duration : duration) : next;
        viewer.dirty = true;
        if (next > duration && !viewer.content.start.loops && !state.film)
            state.playing = false;
    }
    viewer.last = now;
    if (viewer.dirty && !viewer.gpu.gl.isContextLost()) {
        viewer.dirty = false;
        drawFrame(viewer);
    }
    viewer.request = requestAnimationFrame((time) => tick(viewer, time));
}

/* ---- all of it ---- */

function openContent(element, json, options) {
    const content = readContent(json), viewer = createViewer(element, content, options), {state, gpu} = viewer;
    viewer.set = (changes) => {
        Object.assign(state, changes);
        viewer.dirty = true;
        saveSoon(viewer);
    };
    viewer.toggleOverlay = (name, on) => {
        state.overlays[on ? 'add' : 'delete'](name);
        viewer.set({});
    };
    viewer.panes = () => panesOf(viewer);
    viewer.draw = () => drawFrame(viewer);
    viewer.update = () => { /* poses and skins */
        const shown = viewer.film && state.film ? {...state, time: viewer.film.times[filmFrame(viewer)]} : state;
        viewer.sides.forEach((side) => updateSide(gpu, side, shown, content.start.loops));
    };
    viewer.verticesOf = (side, i) => readSkinned(gpu, viewer.sides[side].skinned, i); /* SKINNED floats each */
    addTimes(viewer);
    state.time = content.film || viewer.poseTimes().length > 0 ? state.time : wrapTime(state.time, viewer.duration(), content.start.loops);
    addCamera(viewer);
    addSelection(viewer);
    viewer.keys = keysOf(viewer);
    fillHelp(viewer);
    buildPage(viewer);
    if (content.start.select)
        viewer.selectName(content.start.select);
    if (options.page)
        restore(viewer, location.hash);
    viewer.close = () => {
        viewer.closed = true;
        viewer.ending.abort();
        cancelAnimationFrame(viewer.request);
        viewer.resizing.disconnect();
        clearTimeout(viewer.saving);
        const lose = viewer.gpu.gl.getExtension('WEBGL_lose_context');
        if (lose)
            lose.loseContext();
        element.replaceChildren();
        element.classList.remove('model-viewer');
    };
    viewer.request = requestAnimationFrame((time) => tick(viewer, time));
    return viewer;
}

/* A page of its own says why there is nothing to see; another page is told. */
function openViewer(element, json, options = {}) {
    try {
        return openContent(element, json, options);
    } catch (error) {
        if (!options.page)
            throw error;
        element.textContent = 'The model cannot be shown here: ' + error.message + '.';
        return null;
    }
}
