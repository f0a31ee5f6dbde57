/* The elements around the picture, what they say, and the address that keeps it. */

function buildPage(viewer) {
    const {element, canvas, state} = viewer;
    element.classList.add('model-viewer');
    element.classList.toggle('mv-page', Boolean(viewer.options.page));
    viewer.bar = createBar(viewer);
    viewer.transport = createTransport(viewer);
    const own = viewer.sides[0].model, prefixNote = own.prefix ? 'without ' + own.prefix : '';
    viewer.tree = createTree(own, viewer.select);
    viewer.morphs = createMorphs(viewer, own);
    viewer.searchBox = make('input', {type: 'search', placeholder: 'Search bones', 'aria-label': 'Search bones', autocomplete: 'off', spellcheck: 'false'});
    viewer.count = make('span', {class: 'mv-note', role: 'status'}, prefixNote);
    viewer.searchBox.addEventListener('input', () => {
        viewer.tree.search = viewer.searchBox.value;
        const count = viewer.tree.update();
        viewer.count.textContent = viewer.searchBox.value ? `${count} of ${own.nodes.count}` : prefixNote;
    });
    viewer.searchBox.addEventListener('keydown', (event) => {
        if (event.key === 'Escape' || event.key === 'Enter') {
            const first = viewer.tree.list.querySelector('li:not([hidden])');
            if (event.key === 'Enter' && first)
                first.click();
            viewer.canvas.focus();
            event.stopPropagation();
        }
    });
    viewer.bone = make('div', {class: 'mv-bone'});
    viewer.pick = make('div', {class: 'mv-pick', 'aria-live': 'polite'});
    viewer.legend = make('div', {class: 'mv-legend'});
    viewer.captions = make('div', {class: 'mv-captions'});
    viewer.follow = make('input', {type: 'checkbox', id: '', onchange: () => viewer.set({follow: viewer.follow.checked})});
    viewer.weightButton = createButton('Show its weights', 'Show the weights of this bone', () => viewer.set({view: state.view === 'weight' ? 'lit' : 'weight'}), 'mv-small');
    viewer.panel = make('aside', {class: 'mv-panel', 'aria-label': 'Bones'},
        make('div', {class: 'mv-search'}, viewer.searchBox, viewer.count), viewer.tree.list,
        make('div', {class: 'mv-details'}, viewer.pick, viewer.morphs, viewer.bone));
    viewer.panel.classList.toggle('mv-boneless', own.weightCount > 0 && !own.nodes.isBone.includes(true));
    viewer.splitter = createSplitter(viewer.panel);
    element.replaceChildren(viewer.bar, make('div', {class: 'mv-middle'},
        make('div', {class: 'mv-stage'}, canvas, viewer.labels, viewer.captions, viewer.legend), viewer.splitter,
        viewer.panel), viewer.transport, viewer.help);
    followPointers(viewer, canvas);
    element.addEventListener('keydown', (event) => {
        if (handleKey(viewer, event))
            event.stopPropagation(); /* the page around has keys of its own */
    }, {signal: viewer.ending.signal});
    if (viewer.options.page)
        document.addEventListener('keydown', (event) => {
            if (!element.contains(event.target))
                handleKey(viewer, event);
        }, {signal: viewer.ending.signal});
    viewer.resizing = new ResizeObserver(() => { viewer.dirty = true; });
    viewer.resizing.observe(canvas);
    const dark = window.matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', () => { viewer.dirty = true; }, {signal: viewer.ending.signal});
    viewer.isDark = () => parseInt(getComputedStyle(element).color.slice(4), 10) > 128; /* its text is light */
    viewer.background = () => {
        const [r, g, b, a] = viewer.content.start.background.map((byte) => byte / 255);
        return [r * a, g * a, b * a, a];
    };
    canvas.addEventListener('webglcontextlost', (event) => {
        event.preventDefault();
        viewer.captions.replaceChildren(make('span', {}, 'The browser took its graphics memory back: load the page again.'));
    });
}

const rgb = (color) => `rgb(${color.join(' ')})`;

function painted(element, background) {
    element.style.background = background;
    return element;
}

/* The colours of numbers of influences, as their shader has them. */
function countColors() {
    return [...SHADERS['influences.frag'].matchAll(/ vec3\(([^()]*)\)/g)].map(([, numbers]) => numbers.split(',').map(Number));
}

/* A ramp with numbers at it, of what a view shows. */
function legendOf(viewer) {
    const {state, sides} = viewer, view = state.view;
    const ramp = (colors, marks, text) => [painted(make('span', {class: 'mv-ramp'}), `linear-gradient(to right, ${colors.map(rgb)})`),
        make('span', {class: 'mv-scale'}, marks.map((mark) => make('i', {}, mark))), make('span', {class: 'mv-note'}, text)];
    const {nodes, prefix} = sides[0].model, bone = state.selected !== null ? withoutPrefix(nodes.names[state.selected], prefix) : null;
    const against = sides.length < 2 ? 'the rest pose' : areComparable(...sides) ? sides[1 - sides.indexOf(viewer.panes().slice(-1)[0].side)].label : null;
    const reach = [0, 0.5, 1].map((share) => figure(share * viewer.range));
    if (view === 'weights' || (view === 'weight' && !bone))
        return ramp(RAINBOW, ['0', '\u00bd', '1'], view === 'weights' ? 'largest weight of a vertex' : 'largest weight: no bone is selected');
    if (view === 'weight')
        return ramp(RAINBOW, ['0', '\u00bd', '1'], `weight of ${bone}; grey: none`);
    if (view === 'weight-sum')
        return ramp(DIVERGING, [1 - viewer.sumRange, 1, 1 + viewer.sumRange].map(figure), 'sum of weights');
    if (view === 'stretch')
        return ramp(DIVERGING, ['\u2264 \u00bd', '1', '\u2265 2'], 'area of a triangle beside that at rest');
    if (view === 'displacement' && !against)
        return [make('span', {class: 'mv-note'}, 'The vertices of the two are not the same ones: no displacement can be shown.')];
    if (view === 'displacement')
        return ramp(GROWING, reach, `displacement from ${against}; largest ${figure(viewer.largest)}`);
    if (view === 'speed')
        return ramp(GROWING, reach, `units a second; largest ${figure(viewer.largest)}`);
    if (view === 'influences')
        return [make('span', {class: 'mv-counts'}, countColors().map((color, i) => {
            const tile = painted(make('i', {}, i === 0 ? 'none' : i < 9 ? String(i) : '9+'), rgb(color));
            tile.style.color = color[1] > 140 ? '#000' : '#fff';
            return tile;
        })), make('span', {class: 'mv-note'}, 'bones that hold a vertex')];
    return [];
}

function captionsOf(viewer) {
    const {state, sides, film} = viewer, texts = [];
    const clip = film && state.film ? `frame ${filmFrame(viewer)}` : '';
    const what = state.clip === null ? 'rest pose' : shownName(state.clip) +
        (state.blend === undefined ? '' : ` ${(1 - state.share).toFixed(2)} + ${state.blend === null ? 'rest pose' : shownName(state.blend)} ${state.share.toFixed(2)}`);
    if (state.overlays.has('label'))
        texts.push(make('span', {class: 'mv-caption mv-what'}, `${what} \u00b7 ${(film && state.film ? film.times[filmFrame(viewer)] : state.time).toFixed(3)} s ${clip}`));
    if (sides.length < 2)
        return texts;
    const label = (side) => side.label + (side.poses.length > 0 ? ` \u00b7 ${nearestPose(side, state.time).time.toFixed(3)} s` : '');
    if (state.compare === 'over')
        texts.push(make('span', {class: 'mv-caption mv-ghost'}, label(sides[0])), make('span', {class: 'mv-caption mv-solid'}, label(sides[1])));
    else if (state.compare === 'beside')
        texts.push(make('span', {class: 'mv-caption mv-left'}, label(sides[0])), make('span', {class: 'mv-caption mv-right'}, label(sides[1])));
    else
        texts.push(make('span', {class: 'mv-caption'}, label(sides[state.compare === 'first' ? 0 : 1])));
    return texts;
}

/* A change of these rebuilds the panel. */
function panelKey(viewer) {
    const {state} = viewer;
    return JSON.stringify([state.panel, state.selected, state.time, state.clip, state.blend, state.share, state.compare, state.film,
                           viewer.picked && viewer.picked.place, [...viewer.sides[0].model.morphed]]);
}

function updatePanel(viewer) {
    const {state, sides, panel} = viewer, key = panelKey(viewer), own = sides[0].model;
    panel.hidden = viewer.splitter.hidden = !state.panel;
    viewer.follow.checked = state.follow;
    viewer.weightButton.setAttribute('aria-pressed', String(state.view === 'weight'));
    if (!state.panel || viewer.panelKey === key)
        return;
    viewer.panelKey = key;
    viewer.morphs.update(sides[0].pose.weights);
    if (viewer.treeChoice !== state.selected) {
        viewer.treeChoice = state.selected;
        viewer.tree.select(state.selected);
    }
    viewer.pick.replaceChildren(...(viewer.picked ? [make('h3', {}, 'Picked'), ...pickSummary(viewer.picked.side.model, viewer.picked,
        viewer.picked.side.model === own ? viewer.select : (node) => viewer.selectName(viewer.picked.side.model.nodes.names[node]))].filter(Boolean) : []));
    viewer.bone.replaceChildren(...(state.selected === null
        ? [make('p', {class: 'mv-note'}, viewer.picked ? '' : panel.matches('.mv-boneless') ? 'Click the model to see what is there.'
            : 'Select a bone in the tree, or click the model.')]
        : [make('h3', {}, nameElement(own.nodes.names[state.selected], own.prefix)),
           make('div', {class: 'mv-tools'}, viewer.weightButton, make('label', {}, viewer.follow, 'camera follows it')),
           ...numbersOf(shownSides(viewer).map((side) => ({label: side.label, model: side.model, pose: side.pose, node: nodeOf(viewer, side)})))]));
}

function updatePage(viewer) {
    viewer.bar.update();
    viewer.transport.update();
    updatePanel(viewer);
    viewer.legend.replaceChildren(...legendOf(viewer));
    viewer.legend.hidden = viewer.legend.childElementCount === 0;
    viewer.captions.replaceChildren(...captionsOf(viewer));
}

/* ---- the address ---- */

/* It keeps [word, its text now or null, take(text)]; take() ignores what makes no sense here. The time comes last: the others say
 * how long it is. */
function addressWords(viewer) {
    const {state, sides, clips, film} = viewer, {orbit} = state, set = (changes) => Object.assign(state, changes);
    const round = (value) => String(Number(value.toPrecision(7))), number = (text) => Number.isFinite(Number(text)) ? Number(text) : 0;
    const isClip = (name) => name === '' || clips.some((clip) => clip.name === name);
    return [
        ['clip', state.clip || '', (text) => isClip(text) && set({clip: text || null})],
        ['blend', state.blend === undefined ? null : round(state.share) + ':' + (state.blend || ''), (text) => {
            const [, share, other] = /^([^:]*):([^]*)$/.exec(text) || [];
            if (other !== undefined && isClip(other))
                set({blend: other || null, share: clamp(number(share), 0, 1)});
        }],
        ['view', state.view, (text) => Object.hasOwn(VIEW_TITLES, text) && set({view: text})],
        ['show', [...state.overlays].join(','),
         (text) => set({overlays: new Set(text.split(',').filter((name) => Object.hasOwn(OVERLAY_TITLES, name)))})],
        ['bone', state.selected === null ? null : sides[0].model.nodes.names[state.selected], viewer.selectName],
        ['compare', sides.length > 1 ? state.compare : null,
         (text) => sides.length > 1 && Object.hasOwn(COMPARE_TITLES, text) && set({compare: text})],
        ['film', film ? String(Number(state.film)) : null, (text) => film && set({film: text === '1'})],
        ['camera', orbit && [orbit.yaw, orbit.pitch, orbit.distance, ...orbit.target, orbit.fov, orbit.height].map(round).join(','), (text) => {
            const [yaw, pitch, distance, x, y, z, fov, height] = text.split(',').map(Number);
            if ([yaw, pitch, distance, x, y, z, fov, height].every(Number.isFinite) && distance > 0)
                set({orbit: {yaw, pitch: clamp(pitch, -90, 90), distance, target: [x, y, z], fov: clamp(fov, 0, 170), height}});
        }],
        ['t', round(state.time), (text) => set({time: clamp(number(text), 0, Math.max(0, viewer.duration()))})],
    ];
}

function describeState(viewer) {
    return '#' + new URLSearchParams(addressWords(viewer).flatMap(([word, text]) => text === null ? [] : [[word, text]]));
}

function saveSoon(viewer) {
    if (!viewer.options.page || viewer.saving || viewer.state.playing)
        return;
    viewer.saving = setTimeout(() => {
        viewer.saving = 0;
        try {
            history.replaceState(null, '', describeState(viewer));
        } catch (refused) { /* a page without an address */ }
    }, HASH_DELAY);
}

function restore(viewer, hash) {
    const words = new URLSearchParams(hash.slice(1));
    addressWords(viewer).filter(([word]) => words.has(word)).forEach(([word, , take]) => take(words.get(word)));
}
