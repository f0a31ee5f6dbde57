/* A person chooses by the bar above, the times below and keys. They change `state` through `viewer.set()` and no other way. */

const VIEW_TITLES = {
    studio: 'Studio', lit: 'Lit', unlit: 'Unlit', normals: 'Normals', weights: 'Largest weight', bones: 'Bones', depth: 'Depth', uv: 'Texture coordinates', tangents: 'Tangents',
    influences: 'Influences', weight: 'Weight of a bone', 'weight-sum': 'Sum of weights', displacement: 'Displacement',
    stretch: 'Stretch', speed: 'Speed',
};
const OVERLAY_TITLES = {skeleton: 'Skeleton', names: 'Names of bones', wireframe: 'Wireframe', bounds: 'Box', axes: 'Axes',
                        grid: 'Ground', label: 'Clip and time'};
const COMPARE_TITLES = {over: 'Over each other', beside: 'Side by side', first: 'First alone', second: 'Second alone'};
const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4];

const MOUSE = [['Drag', 'turn'], ['Shift drag, right drag, two fingers', 'move'], ['Wheel, pinch', 'nearer, farther'],
               ['Click', 'what is there: mesh, bones, weights'], ['Double click', 'turn around that point']];

function createSelect(title, choices, change) {
    return make('select', {'aria-label': title, title, onchange: (event) => change(event.target.value)},
                choices.map(([value, text, whole]) => make('option', {value, title: whole}, text)));
}

const createButton = (text, title, action, style) => button(text, action, {title, 'aria-label': title, class: style});

/* A menu of check boxes. */
function createChecks(title, choices, toggle) {
    const boxes = Object.entries(choices).map(([value, text]) => {
        const box = make('input', {type: 'checkbox', value, onchange: () => toggle(value, box.checked)});
        return {value, box, row: make('label', {}, box, text)};
    });
    const details = make('details', {class: 'mv-menu'}, make('summary', {}, title), make('div', {}, boxes.map(({row}) => row)));
    details.addEventListener('keydown', (event) => {
        if (event.key === 'Escape') {
            details.open = false;
            event.stopPropagation();
        }
    });
    details.addEventListener('focusout', (event) => {
        if (event.relatedTarget && !details.contains(event.relatedTarget))
            details.open = false;
    });
    return {details, show: (chosen) => boxes.forEach(({value, box}) => { box.checked = chosen.has(value); })};
}

function clipChoices(viewer) {
    const names = viewer.clips.map((clip) => clip.name), prefix = commonPrefix(names);
    return [['', 'Rest pose'], ...names.map((name) => [name, withoutPrefix(name, prefix), shownName(name)])];
}

/* The bar above. */
function createBar(viewer) {
    const {state, set} = viewer, two = viewer.sides.length > 1;
    const clip = createSelect('Clip', clipChoices(viewer), (value) => set({clip: value || null, time: 0, film: false}));
    const other = createSelect('Clip to blend with', [['-', 'No blend'], ...clipChoices(viewer)],
        (value) => set({blend: value === '-' ? undefined : value || null, share: state.share || 0.5, film: false}));
    const share = make('input', {type: 'range', min: 0, max: 1, step: 0.01, 'aria-label': 'Share of the second clip',
                                 oninput: () => set({share: Number(share.value)})});
    const shareText = make('span', {class: 'mv-number mv-share'});
    const blend = make('span', {class: 'mv-group'}, other, share, shareText);
    const view = createSelect('View', VIEWS.filter((name) => VIEW_TITLES[name]).map((name) => [name, VIEW_TITLES[name]]),
        (value) => set({view: value}));
    const checks = createChecks('Show', OVERLAY_TITLES, (value, on) => viewer.toggleOverlay(value, on));
    const compare = two ? createSelect('Compare', Object.entries(COMPARE_TITLES).map(([value, text]) => [value,
        value === 'first' ? viewer.sides[0].label : value === 'second' ? viewer.sides[1].label : text]), (value) => set({compare: value})) : null;
    const film = viewer.film ? createButton('Film', 'The film\u2019s camera and times', () => set({film: !state.film})) : null;
    const panel = createButton('Panel', 'Bones, morph targets and numbers (P)', () => set({panel: !state.panel}), 'mv-toggle');
    const bar = make('div', {class: 'mv-top', role: 'toolbar', 'aria-label': 'What is shown'},
        make('span', {class: 'mv-title'}, nameElement(viewer.content.title)), viewer.clips.length > 0 ? clip : null,
        viewer.clips.length > 0 ? blend : null, view, checks.details, compare, film, make('span', {class: 'mv-spring'}),
        panel, createButton('?', 'Keys (?)', () => viewer.help.showModal(), 'mv-toggle'));
    bar.update = () => {
        clip.value = state.clip || '';
        clip.title = state.clip === null ? 'Clip' : shownName(state.clip);
        other.value = state.blend === undefined ? '-' : state.blend || '';
        share.hidden = shareText.hidden = state.blend === undefined;
        share.value = state.share;
        shareText.textContent = state.share.toFixed(2);
        view.value = state.view;
        checks.show(state.overlays);
        if (compare)
            compare.value = state.compare;
        if (film)
            film.setAttribute('aria-pressed', String(state.film));
        panel.setAttribute('aria-pressed', String(state.panel));
    };
    return bar;
}

/* The times below. */
function createTransport(viewer) {
    const {state, set} = viewer;
    const play = createButton('', 'Play (Space)', () => viewer.play(!state.playing), 'mv-play');
    const slider = make('input', {type: 'range', min: 0, max: 1, step: 'any', 'aria-label': 'Time', class: 'mv-time'});
    slider.addEventListener('input', () => {
        viewer.play(false);
        viewer.seek(Number(slider.value) * viewer.duration());
    });
    slider.addEventListener('keydown', (event) => {
        if (event.key.startsWith('Arrow')) /* frames, not shares of the clip */
            event.preventDefault();
    });
    const time = make('span', {class: 'mv-number mv-clock', role: 'status', 'aria-live': 'off'});
    const speed = createSelect('Speed', SPEEDS.map((value) => [String(value), value + '\u00d7']), (value) => set({speed: Number(value)}));
    const marks = make('div', {class: 'mv-marks', 'aria-hidden': 'true'});
    const step = (frames, text, title) => createButton(text, title, () => viewer.step(frames), 'mv-step');
    const bar = make('div', {class: 'mv-bottom', role: 'toolbar', 'aria-label': 'Time'}, play,
        make('span', {class: 'mv-group'}, step(-10, '\u221210', 'Ten frames back (Shift \u2190)'), step(-1, '\u22121', 'A frame back (\u2190)'),
            step(1, '+1', 'A frame on (\u2192)'), step(10, '+10', 'Ten frames on (Shift \u2192)')),
        make('span', {class: 'mv-track'}, slider, marks), time, speed);
    marks.append(...viewer.poseTimes().map(() => make('i', {}))); /* where there are poses */
    bar.update = () => {
        const duration = viewer.duration(), fps = viewer.fps;
        bar.hidden = !(duration > 0);
        viewer.poseTimes().forEach((at, i) => marks.children[i].style.setProperty('--at', duration > 0 ? at / duration : 0));
        play.classList.toggle('mv-playing', state.playing);
        play.setAttribute('aria-label', state.playing ? 'Pause (Space)' : 'Play (Space)');
        play.title = play.getAttribute('aria-label');
        slider.value = duration > 0 ? state.time / duration : 0;
        slider.setAttribute('aria-valuetext', state.time.toFixed(3) + ' seconds');
        time.replaceChildren(`${state.time.toFixed(3)} / ${duration.toFixed(3)} s`, make('span', {class: 'mv-frame'}, ` \u00b7 frame ${figureOfFrame(state.time * fps)}`));
        speed.value = String(state.speed);
    };
    return bar;
}

function figureOfFrame(frame) {
    return Math.abs(frame - Math.round(frame)) < 1e-3 ? String(Math.round(frame)) : frame.toFixed(1);
}

/* [keys, what is said of them, words, action(key, event)] */
function keysOf(viewer) {
    const {state, set} = viewer, modes = Object.keys(COMPARE_TITLES);
    const clips = [null, ...viewer.clips.map((clip) => clip.name)];
    const next = (list, now, by) => list[(list.indexOf(now) + by + list.length) % list.length];
    const overlays = {k: 'skeleton', n: 'names', m: 'wireframe', b: 'bounds', x: 'axes', g: 'grid', l: 'label'};
    const turns = {a: [-25, 0], d: [25, 0], w: [0, 25], s: [0, -25]};
    return [
        [' ', 'Space', 'play, pause', () => viewer.play(!state.playing)],
        [['ArrowLeft', 'ArrowRight'], '\u2190 \u2192', 'a frame back, on; with Shift ten',
         (key, event) => viewer.step((key === 'ArrowLeft' ? -1 : 1) * (event.shiftKey ? 10 : 1))],
        [['Home', 'End'], 'Home End', 'first, last time', (key) => viewer.seek(key === 'Home' ? 0 : viewer.duration())],
        ['[]', '[ ]', 'clip before, next',
         (key) => set({clip: next(clips, state.clip, key === '[' ? -1 : 1), time: 0, film: false})],
        ['-+=', '- +', 'farther, nearer', (key) => viewer.zoom(key === '-' ? 1.15 : 1 / 1.15)],
        ['adws', 'A D W S', 'turn', (key) => viewer.turn(...turns[key])],
        ['f', 'F', 'show all', () => viewer.frameAll()],
        ['r', 'R', 'camera as at first', () => viewer.resetCamera()],
        ['1234567890', '1 \u2026 9 0', 'views', (key) => set({view: VIEWS['1234567890'.indexOf(key)]})],
        ['knmbxgl', 'K N M B X G L', 'skeleton, names, mesh, box, axes, ground, label',
         (key) => viewer.toggleOverlay(overlays[key], !state.overlays.has(overlays[key]))],
        ['c', 'C', 'how two are compared',
         () => viewer.sides.length > 1 && set({compare: next(modes, state.compare, 1)})],
        ['t', 'T', 'camera follows the selected bone', () => set({follow: !state.follow})],
        ['/', '/', 'search bones', () => viewer.search()],
        ['p', 'P', 'panel', () => set({panel: !state.panel})],
        [['Escape'], 'Esc', 'select nothing', () => viewer.select(null)],
        ['?', '?', 'these keys', () => viewer.help.showModal()],
    ];
}

function fillHelp(viewer) {
    const rows = MOUSE.flatMap(([what, words]) => [make('dt', {}, what), make('dd', {}, words)]);
    viewer.help.append(make('h2', {}, 'Keys'), keyList(viewer.keys.map(([, names, words]) => [names.split(' '), words])),
        make('h2', {}, 'Mouse and touch'), make('dl', {}, rows), closeForm());
}

/* Keys; nothing while a person types. True where one was meant. */
function handleKey(viewer, event) {
    const {target} = event, key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const found = viewer.keys.find(([keys]) => keys.includes(key));
    const isOwn = ['SELECT', 'TEXTAREA'].includes(target.tagName) || target.type === 'search' ||
        (key === ' ' && (['BUTTON', 'SUMMARY'].includes(target.tagName) || target.type === 'checkbox'));
    if (event.ctrlKey || event.metaKey || event.altKey || viewer.help.open || isOwn || !found)
        return false;
    found[3](key, event);
    event.preventDefault();
    return true;
}

/* Mouse, pen and fingers on the picture. */
function followPointers(viewer, canvas) {
    const pointers = new Map();
    let moved = 0, spread = 0;
    const at = (event) => ({x: event.clientX, y: event.clientY});
    const middle = () => [...pointers.values()].reduce((sum, p) => ({x: sum.x + p.x / pointers.size, y: sum.y + p.y / pointers.size}), {x: 0, y: 0});
    const width = () => pointers.size === 2 ? Math.hypot(...(([p, q]) => [p.x - q.x, p.y - q.y])([...pointers.values()])) : 0;
    canvas.addEventListener('pointerdown', (event) => {
        canvas.setPointerCapture(event.pointerId);
        moved = pointers.size === 0 ? 0 : Infinity;
        pointers.set(event.pointerId, at(event));
        spread = width();
    });
    canvas.addEventListener('pointermove', (event) => {
        if (!pointers.has(event.pointerId))
            return;
        const before = middle();
        pointers.set(event.pointerId, at(event));
        const now = middle(), dx = now.x - before.x, dy = now.y - before.y;
        moved += Math.abs(dx) + Math.abs(dy);
        if (moved < 4)
            return;
        if (pointers.size > 1 || event.shiftKey || event.buttons & 6)
            viewer.pan(dx, dy);
        else
            viewer.turn(dx, dy);
        if (spread > 0 && width() > 0)
            viewer.zoom(spread / width());
        spread = width();
    });
    const leave = (event) => {
        if (pointers.delete(event.pointerId) && event.type === 'pointerup' && moved < 4 && event.button === 0)
            viewer.pickFrom(event.clientX, event.clientY);
        spread = width();
    };
    canvas.addEventListener('pointerup', leave);
    canvas.addEventListener('pointercancel', leave);
    canvas.addEventListener('contextmenu', (event) => event.preventDefault());
    canvas.addEventListener('dblclick', (event) => viewer.aimFrom(event.clientX, event.clientY));
    canvas.addEventListener('wheel', (event) => {
        event.preventDefault();
        viewer.zoom(Math.exp(clamp(event.deltaY * (event.deltaMode === 1 ? 16 : 1), -200, 200) * 0.0015));
    }, {passive: false});
}
