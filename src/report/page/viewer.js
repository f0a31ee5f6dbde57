'use strict';
/*
 * Golden, actual and their difference, in step: one zoom, one spot under the pointer for all panes. Positions are in
 * pixels of the picture.
 */

/* A person's way to look is kept from case to case; the place too, while pictures have one size. */
const look = {mode: 'side', third: 'difference', outline: true, swipe: 50, zoom: 1, x: 0, y: 0, size: '', actual: true, auto: false};

/* The third pane shows one of the pictures that there are. */
const THIRDS = [['difference', 'Difference \u00d716'], ['heat', 'FLIP'], ['displacement', 'Displacement']];

const MODES = [['swipe', 'Swipe'], ['blink', 'Blink'], ['side', 'Side by side']];
const MOST_ZOOM = 64, BLINK_MS = 600;

let viewer = null; /* of the open case and time; null when it has no pictures */
let blinkTimer = null;
let pictureNames = {}; /* of the open case, for people */

const nameOf = (kind) => pictureNames[kind] || (kind === 'candidate' ? 'new golden' : kind);

/* ---- what there is to see ---- */

async function openPair(image) {
    const pair = {golden: openPicture(image.golden), actual: openPicture(image.actual), heat: openPicture(image.heat),
                  displacement: openPicture(image.displacement), candidate: openPicture(image.candidate)};
    for (const kind of Object.keys(pair))
        if (pair[kind] && !await pair[kind].ready)
            pair[kind] = null; /* a PNG that is broken */
    const a = pair.golden && pair.golden.image, b = pair.actual && pair.actual.image;
    pair.comparable = Boolean(a && b && a.naturalWidth === b.naturalWidth && a.naturalHeight === b.naturalHeight &&
        pair.golden.pixels() && pair.actual.pixels());
    const {canvas, worst} = pair.comparable ? differenceCanvas(pair.golden, pair.actual) : {canvas: null, worst: null};
    Object.assign(pair, {difference: canvas, worst});
    return pair;
}

/* ---- panes ---- */

/* A layer shows a picture or a canvas in the coordinates of the view; pictures of different sizes are shown at one. */
function makeLayer(v, source) {
    const content = source instanceof HTMLCanvasElement ? source : make('img', {src: source.url, alt: '', draggable: 'false'});
    content.style.width = v.width + 'px';
    return make('div', {class: 'layer'}, content);
}

function makePane(v, kind, layers, labels) {
    const corners = labels.map((label, i) => span('corner ' + (i === 0 ? 'left' : 'right'), label));
    const name = labels.join(' and ') + ' picture';
    const frame = make('div', {class: 'frame', tabindex: '0', role: 'img', 'aria-label': name}, ...layers,
                       make('div', {class: 'outline'}), make('div', {class: 'spot'}), ...corners);
    const pane = make('figure', {class: 'pane', 'data-kind': kind}, frame);
    pane.style.setProperty('--ratio', v.width / v.height);
    listenToFrame(v, frame, kind);
    v.frames.push(frame);
    return pane;
}

function swipePane(v) {
    const over = makeLayer(v, v.pair.actual);
    const layers = [makeLayer(v, v.pair.golden), make('div', {class: 'clip'}, over), make('div', {class: 'divider'})];
    const pane = makePane(v, 'swipe', layers, [nameOf('golden'), nameOf('actual')]);
    const range = make('input', {type: 'range', id: 'swipe', min: '0', max: '100', step: '0.5',
                                 'aria-label': 'How much of the ' + nameOf('golden') + ' is shown, from the left',
                                 oninput: () => setSwipe(v, Number(range.value))});
    pane.append(range);
    return pane;
}

function blinkPane(v) {
    const pane = makePane(v, 'blink', [makeLayer(v, v.pair.golden), makeLayer(v, v.pair.actual)], [nameOf('golden')]);
    const auto = make('input', {type: 'checkbox', id: 'auto', onchange: () => setAuto(auto.checked)});
    auto.checked = look.auto;
    const byItself = make('label', {}, auto, ' by itself');
    pane.append(make('div', {class: 'under'}, button('Blink', blink, {id: 'blink'}), byItself));
    return pane;
}

/* The one that is asked for, else the first there is. */
function thirdOf(v) {
    const there = THIRDS.filter(([kind]) => v.pair[kind]);
    return there.find(([kind]) => kind === look.third) || there[0];
}

function differencePane(v) {
    const shown = thirdOf(v);
    return shown ? makePane(v, 'difference', [makeLayer(v, v.pair[shown[0]])], [shown[0] === 'heat' ? shown[1] : shown[1].toLowerCase()]) : null;
}

function panesOf(v) {
    const {pair} = v;
    const ofKinds = (...kinds) => kinds.filter((kind) => pair[kind])
        .map((kind) => makePane(v, kind, [makeLayer(v, pair[kind])], [nameOf(kind)]));
    if (!pair.comparable)
        return ofKinds('golden', 'actual', 'candidate');
    const compared = look.mode === 'swipe' ? [swipePane(v)] : look.mode === 'blink' ? [blinkPane(v)] : ofKinds('golden', 'actual');
    return [...compared, differencePane(v), ...ofKinds('candidate')];
}

/* ---- the view: zoom and position in all panes ---- */

function applyView(v) {
    look.x = clamp(look.x, 0, v.width - v.width / look.zoom);
    look.y = clamp(look.y, 0, v.height - v.height / look.zoom);
    for (const frame of v.frames) {
        const scale = frame.clientWidth / v.width * look.zoom;
        for (const layer of frame.querySelectorAll('.layer')) {
            layer.style.transform = 'scale(' + scale + ') translate(' + -look.x + 'px,' + -look.y + 'px)';
            layer.style.imageRendering = scale >= 1 ? 'pixelated' : 'auto';
        }
        placeOutline(v, frame, scale);
        placeSpot(v, frame, scale);
    }
    v.zoomLabel.textContent = Math.round(100 * look.zoom) + '\u00a0%';
}

function placeOutline(v, frame, scale) {
    const outline = frame.querySelector('.outline');
    const [x, y, width, height] = v.image.box || [0, 0, 0, 0];
    outline.hidden = !look.outline || width === 0 || height === 0 || frame.parentNode.dataset.kind === 'candidate';
    outline.style.left = (x - look.x) * scale - 3 + 'px';
    outline.style.top = (y - look.y) * scale - 3 + 'px';
    outline.style.width = width * scale + 6 + 'px';
    outline.style.height = height * scale + 6 + 'px';
}

function placeSpot(v, frame, scale) {
    const spot = frame.querySelector('.spot');
    spot.style.left = (v.spot.x - look.x + 0.5) * scale + 'px';
    spot.style.top = (v.spot.y - look.y + 0.5) * scale + 'px';
}

/* Zooms so that the point (x, y) of the picture stays where it is. */
function zoomAt(factor, x, y) {
    if (!viewer)
        return;
    const before = look.zoom;
    look.zoom = clamp(before * factor, 1, MOST_ZOOM);
    look.x = x - (x - look.x) * before / look.zoom;
    look.y = y - (y - look.y) * before / look.zoom;
    applyView(viewer);
}

function zoomBy(factor) {
    if (viewer)
        zoomAt(factor, viewer.spot.x, viewer.spot.y);
}

function resetZoom() {
    zoomBy(1 / MOST_ZOOM);
}

/* ---- pointer ---- */

function pointOf(v, frame, event) {
    const box = frame.getBoundingClientRect();
    const scale = box.width / v.width * look.zoom;
    return {x: look.x + (event.clientX - box.left) / scale, y: look.y + (event.clientY - box.top) / scale};
}

function moveSpot(v, point) {
    v.spot = {x: clamp(Math.floor(point.x), 0, v.width - 1), y: clamp(Math.floor(point.y), 0, v.height - 1)};
    for (const frame of v.frames)
        placeSpot(v, frame, frame.clientWidth / v.width * look.zoom);
    showPixel(v);
}

function dragFrame(v, frame, kind, event) {
    const box = frame.getBoundingClientRect();
    if (kind === 'swipe' && !event.shiftKey) {
        setSwipe(v, clamp(100 * (event.clientX - box.left) / box.width, 0, 100));
        return;
    }
    const scale = box.width / v.width * look.zoom;
    look.x -= event.movementX / scale;
    look.y -= event.movementY / scale;
    applyView(v);
}

function listenToFrame(v, frame, kind) {
    frame.addEventListener('pointermove', (event) => {
        if (event.buttons & 1)
            dragFrame(v, frame, kind, event);
        moveSpot(v, pointOf(v, frame, event));
    });
    frame.addEventListener('pointerdown', (event) => {
        if (kind === 'swipe' && event.button === 0)
            dragFrame(v, frame, kind, event);
        frame.setPointerCapture(event.pointerId);
    });
    frame.addEventListener('click', () => kind === 'blink' && blink());
    frame.addEventListener('dblclick', (event) => {
        const point = pointOf(v, frame, event);
        zoomAt(look.zoom > 1 ? 1 / MOST_ZOOM : 8, point.x, point.y);
    });
    frame.addEventListener('wheel', (event) => {
        if (!event.ctrlKey && !event.metaKey && look.zoom === 1)
            return; /* the page scrolls */
        event.preventDefault();
        const point = pointOf(v, frame, event);
        zoomAt(event.deltaY < 0 ? 1.25 : 0.8, point.x, point.y);
    }, {passive: false});
}

/* ---- modes ---- */

function setSwipe(v, share) {
    look.swipe = share;
    const pane = v.element.querySelector('[data-kind=swipe]');
    if (!pane)
        return;
    pane.querySelector('.clip').style.clipPath = 'inset(0 0 0 ' + share + '%)';
    pane.querySelector('.divider').style.left = share + '%';
    pane.querySelector('input').value = share;
}

/* Shows the golden or the actual picture of the blink pane. */
function showBlink() {
    const pane = viewer && viewer.element.querySelector('[data-kind=blink]');
    if (!pane)
        return;
    pane.querySelectorAll('.layer')[1].hidden = !look.actual;
    pane.querySelector('.corner').textContent = nameOf(look.actual ? 'actual' : 'golden');
}

/* Golden and actual in turns; comes from any mode. */
function blink() {
    if (!viewer || !viewer.pair.comparable)
        return;
    look.actual = !look.actual;
    if (look.mode !== 'blink')
        setMode('blink');
    else
        showBlink();
}

function setAuto(on) {
    look.auto = on;
    clearInterval(blinkTimer);
    if (on && look.mode === 'blink')
        blinkTimer = setInterval(() => {
            look.actual = !look.actual;
            showBlink();
        }, BLINK_MS);
}

/* Looks in another way, from now on. */
function setLook(changes) {
    Object.assign(look, changes);
    if (viewer)
        rebuildViewer(viewer);
}

const setMode = (mode) => setLook({mode}), setThird = (third) => setLook({third}), setOutline = (outline) => setLook({outline});

function nextThird() {
    const there = viewer ? THIRDS.filter(([kind]) => viewer.pair[kind]) : [];
    if (there.length > 1)
        setThird(there[(there.indexOf(thirdOf(viewer)) + 1) % there.length][0]);
}

/* ---- the pixel under the pointer ---- */

function showPixel(v) {
    const {x, y} = v.spot, kinds = ['golden', 'actual'].filter((kind) => v.pair[kind]);
    const colours = kinds.map((kind) => [nameOf(kind), pixelAt(v.pair[kind], x, y)]);
    const channels = colours.some(([, colour]) => colour && colour[3] !== 255) ? 4 : 3;
    if (v.pair.comparable)
        colours.push(['difference', colours[0][1].map((value, i) => Math.abs(value - colours[1][1][i]))]);
    v.place.replaceChildren(span('', 'Pixel under the pointer: ', span('number', x + ', ' + y)), ...colours.map(([name, colour], i) => {
        const swatch = colour && i < kinds.length && span('swatch');
        if (swatch)
            swatch.style.backgroundColor = 'rgb(' + colour.slice(0, 3).join(' ') + ')';
        return span('pixel', name + ' ', swatch, span('number', colour ? colour.slice(0, channels).join(' ') : '\u2013'));
    }));
}

/* ---- tools and the whole ---- */

function makeTools(v) {
    v.zoomLabel = make('span', {class: 'number zoom'});
    const modes = v.pair.comparable && choiceGroup('How to compare', 'mode', MODES.map(([mode, label], i) =>
        [mode, [label + ' ', make('kbd', {}, String(i + 1))]]), look.mode, setMode);
    const thirds = THIRDS.filter(([kind]) => v.pair[kind]);
    const kinds = v.pair.comparable && thirds.length > 1 && choiceGroup('Third pane', 'third', thirds, thirdOf(v)[0], setThird);
    const outline = v.pair.comparable && button('Outline', () => setOutline(!look.outline),
        {title: 'Frame the pixels that differ (o)', id: 'outline', 'aria-pressed': String(look.outline)});
    const zoom = make('div', {class: 'group', role: 'group', 'aria-label': 'Zoom'},
                      button('\u2212', () => zoomBy(0.5), {'aria-label': 'Smaller'}), v.zoomLabel,
                      button('+', () => zoomBy(2), {'aria-label': 'Larger', id: 'zoom-in'}));
    return make('div', {class: 'tools'}, modes, kinds, outline, zoom,
                make('span', {class: 'hint'}, 'Ctrl + wheel or double click zooms'));
}

function rebuildViewer(v) {
    const hadFocus = v.element.contains(document.activeElement) ? document.activeElement : null;
    const again = hadFocus && ['data-mode', 'data-third', 'id'].map((name) =>
        hadFocus.getAttribute(name) && '[' + name + '="' + hadFocus.getAttribute(name) + '"]').find(Boolean);
    v.frames = [];
    const panes = panesOf(v).filter(Boolean);
    v.element.replaceChildren(make('div', {class: 'panes', 'data-count': String(panes.length)}, ...panes), makeTools(v),
                              v.place = make('p', {class: 'place'}));
    setSwipe(v, look.swipe);
    showBlink();
    setAuto(look.auto);
    applyView(v);
    showPixel(v);
    if (hadFocus)
        (again && v.element.querySelector(again) || v.frames[0]).focus({preventScroll: true});
}

/* Says why pictures cannot be compared here. */
function troubles(pair, image) {
    const words = ['golden', 'actual', 'heat'].filter((kind) => hasPicture(image[kind]) && !pair[kind])
        .map((kind) => (isEmbedded(image[kind]) ? 'cannot be shown: ' : 'is not beside this page: ') + image[kind]);
    const isBeside = pair.golden && pair.actual && !(pair.golden.pixels() && pair.actual.pixels());
    if (pair.golden && pair.actual && !pair.comparable && !isBeside)
        words.push(['golden', 'actual'].map((kind) => nameOf(kind) + ' has ' + pair[kind].image.naturalWidth + ' \u00d7 ' +
            pair[kind].image.naturalHeight + ' pixels').join(', '));
    return words.map((text) => note(text, 'missing'));
}

/* Puts the pictures of a time into `place`. Whoever is overtaken by another call leaves no trace. */
async function showPictures(image, place) {
    const turn = showPictures.turn = (showPictures.turn || 0) + 1;
    const pair = await openPair(image);
    if (turn !== showPictures.turn)
        return;
    const picture = pair.actual || pair.golden;
    const notes = troubles(pair, image);
    if (!picture) {
        closeViewer();
        place.replaceChildren(...notes);
        return;
    }
    const {naturalWidth: width, naturalHeight: height} = picture.image, size = width + ' ' + height;
    const v = {pair, image, width, height, frames: [], element: make('div', {class: 'viewer'})};
    v.spot = pair.worst || {x: image.width >> 1, y: image.height >> 1}; /* until the pointer says otherwise */
    if (look.size !== size)
        Object.assign(look, {size, zoom: 1, x: 0, y: 0});
    if (image.box && image.box[2] > 0) /* the edge is on what has changed */
        look.swipe = 100 * (image.box[0] + image.box[2] / 2) / width;
    closeViewer();
    viewer = v;
    place.replaceChildren(v.element, ...notes);
    rebuildViewer(v);
    v.observer = new ResizeObserver(() => applyView(v));
    v.observer.observe(v.element);
    if (arrival === scrolled()) /* nobody went elsewhere meanwhile */
        showEvidence();
}

function closeViewer() {
    clearInterval(blinkTimer);
    if (viewer && viewer.observer)
        viewer.observer.disconnect();
    viewer = null;
}
