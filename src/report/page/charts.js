'use strict';
/* Numbers over time and bones: the plot of errors, the table of bones, the heat map of bones and times. */

/* The tolerance that a stage is judged by, as a fraction like its errors; null when not known. */
function limitOf(result, stage) {
    const key = {animate: 'shell', palette: 'shell', skin: 'skin', draw: 'pixel_share'}[stage];
    return result.tolerance && key ? result.tolerance[key] : null;
}

/* The limit of an error, and whether it is beyond. Errors of the stage skin are the GPU's, the golden's and another case's, each with a
   tolerance of its own: which one failed, findings say. */
function judgeError(result, stage, t) {
    const fails = result.findings.find((finding) => !finding.benign && finding.stage === stage && finding.time === t.time);
    const own = fails && result.tolerance ? result.tolerance[fails.tolerance] : undefined;
    const limit = isNumber(own) ? own : limitOf(result, stage);
    return {limit, isOver: stage === 'skin' && result.findings_left_out === 0 ? Boolean(fails) : isNumber(limit) && t.error[stage] > limit};
}

/* ---- charts ---- */

const CHART = {width: 720, left: 64, right: 24, top: 14, bottom: 32};

/* 1, 2 or 5 times a power of ten. */
function tickStep(span, wanted) {
    const power = 10 ** Math.floor(Math.log10(span / wanted));
    return [1, 2, 5, 10].map((factor) => factor * power).find((step) => span / step <= wanted);
}

function ticksOf(least, most, wanted) {
    const step = tickStep(most - least, wanted), ticks = [];
    for (let i = Math.ceil(least / step - 1e-9); i * step <= most + 1e-9 * step && ticks.length < 50; i++)
        ticks.push(i * step);
    return ticks;
}

/*
 * Lines over time. `y` is {least, most, ticks: [[value, words]]}; `draw` makes what is in it of {x(time), y(value), left,
 * right, bottom}. Gives {element, mark(time)}.
 */
function chart(label, height, times, y, draw) {
    let [first, last] = [Math.min(...times), Math.max(...times)];
    if (first === last)
        [first, last] = [first - 0.5, last + 0.5];
    const {width, left, top} = CHART, right = width - CHART.right, bottom = height - CHART.bottom;
    const place = {
        left, right, bottom, x: (time) => left + (time - first) / (last - first) * (right - left),
        y: (value) => top + clamp((y.most - value) / (y.most - y.least), 0, 1) * (bottom - top),
    };
    const tick = (x, y, anchor, words) => makeSvg('text', {class: 'tick', x, y, 'text-anchor': anchor}, words);
    const now = makeSvg('line', {class: 'now', y1: top, y2: bottom});
    const box = '0 0 ' + width + ' ' + height;
    const element = makeSvg('svg', {viewBox: box, class: 'plot', role: 'img', 'aria-label': label},
        ...y.ticks.flatMap(([value, words]) => [
            makeSvg('line', {class: 'grid', x1: left, x2: right, y1: place.y(value), y2: place.y(value)}),
            tick(left - 8, place.y(value) + 4, 'end', words)]),
        ...ticksOf(first, last, 8).map((time) => tick(place.x(time), bottom + 20, 'middle', figure(time) + '\u00a0s')),
        now, ...draw(place, tick));
    return {element, mark: (time) => fill(now, {x1: place.x(time), x2: place.x(time)})};
}

function chartLine(points, style, place) {
    const d = points.map(([time, value], i) =>
        (i ? 'L' : 'M') + place.x(time).toFixed(1) + ' ' + place.y(value).toFixed(1));
    return makeSvg('path', {class: style, d: d.join('')});
}

function chartDot([time, value], style, words, pick, place) {
    const at = {cx: place.x(time).toFixed(1), cy: place.y(value).toFixed(1)};
    return makeSvg('circle', {class: style, ...at, r: 3.5, onclick: pick}, makeSvg('title', {}, words));
}

/* ---- error over time ---- */

const level = (error) => Math.log10(Math.max(error, 1e-300));

/* Decades that hold all errors and limits; zero lies at the bottom. */
function decadesOf(values) {
    const known = values.filter((value) => isNumber(value) && value > 0);
    const least = Math.floor(Math.log10(Math.max(Math.min(...known, 1e-5), 1e-9))) - 1;
    const most = Math.ceil(Math.log10(Math.max(...known, 1e-5)) + 1e-9), ticks = [];
    for (let decade = least; decade <= most; decade += Math.ceil((most - least) / 8))
        ticks.push([decade, decade === least ? '0' : '1e' + decade]);
    return {least, most, ticks};
}

/* Stages often have the same limit: one line for each value. */
function limitLines(stages, limitOfStage, place, tick) {
    const limits = [...new Set(stages.map(limitOfStage))].filter((limit) => isNumber(limit) && limit > 0);
    return limits.flatMap((limit) => {
        const y = place.y(level(limit)), names = stages.filter((stage) => limitOfStage(stage) === limit).join(', ');
        return [makeSvg('line', {class: 'limit', x1: place.left, x2: place.right, y1: y, y2: y}),
                tick(place.right, y - 5, 'end', 'limit of ' + names)];
    });
}

function errorPlot(result, pick) {
    const stages = STAGES.slice(1).filter((stage) => result.times.some((t) => isNumber(t.error[stage])));
    if (stages.length === 0 || result.times.length < 2)
        return null;
    const limitOfStage = (stage) => limitOf(result, stage);
    const errors = stages.flatMap((stage) => result.times.map((t) => t.error[stage]));
    const y = decadesOf([...errors, ...stages.map(limitOfStage)]);
    const line = (stage, place) => {
        const known = result.times.map((t, index) => ({t, index})).filter(({t}) => isNumber(t.error[stage]));
        const pointOf = ({t}) => [t.time, level(t.error[stage])];
        const words = ({t}) => stage + ' at ' + seconds(t.time) + ': ' + percent(t.error[stage]);
        return makeSvg('g', {class: 'series ' + stage}, chartLine(known.map(pointOf), null, place),
            ...known.map((each) => chartDot(pointOf(each), null, words(each), () => pick(each.index), place)));
    };
    const times = result.times.map((t) => t.time);
    const plot = chart('Error of each stage over time, logarithmic', 220, times, y, (place, tick) =>
        [...limitLines(stages, limitOfStage, place, tick), ...stages.map((stage) => line(stage, place))]);
    const legend = make('p', {class: 'legend'},
        ...stages.map((stage) => span('', make('i', {class: 'line ' + stage}), stage)),
        span('hint', 'fraction of the radius; draw: share of the foreground'));
    return {element: make('div', {}, plot.element, legend), mark: (index) => plot.mark(result.times[index].time)};
}

/* ---- where the worst bone is over the times: the golden's samples, wide, and this run's ---- */

const CHANNELS = ['x', 'y', 'z', 'rotation x', 'rotation y', 'rotation z', 'rotation w', 'scale x', 'scale y',
                  'scale z'];

/* Quaternions of two signs are one rotation: each takes the sign that is nearer to that of the time before. */
function straighten(curve) {
    const flip = (values, like) => {
        const cosine = [3, 4, 5, 6].reduce((sum, k) => sum + values[k] * like[k], 0);
        return cosine < 0 ? values.map((value, k) => k >= 3 && k < 7 ? -value : value) : values;
    };
    const nearest = (time, list) => list.reduce((best, each) =>
        Math.abs(each.time - time) < Math.abs(best.time - time) ? each : best);
    let before = curve.samples[0].golden;
    const samples = curve.samples.map(({time, golden, actual}) => {
        before = flip(golden, before);
        return {time, golden: before, actual: flip(actual, before)};
    });
    const lines = (curve.lines || []).map(({side, points, keys}) => ({side, keys: keys || [],
        points: points.map(({time, at}) => ({time, at: flip(at, nearest(time, samples)[side])}))}));
    return {samples, lines};
}

/* The channel in which both are farthest apart: of places as a share of the radius. */
function worstChannel(result, samples) {
    const apart = CHANNELS.map((name, k) => Math.max(...samples.map(({golden, actual}) => Math.abs(golden[k] - actual[k]))) /
        (k < 3 ? result.radius || 1 : 1));
    return apart.indexOf(Math.max(...apart));
}

/* All values with room around them; where there is nearly one, so much that rounding is a flat line. */
function rangeOf(values) {
    const size = Math.max(...values.map(Math.abs), 1e-9), low = Math.min(...values), high = Math.max(...values);
    const room = high - low > 1e-5 * size ? 0.08 * (high - low) : 0.1 * size, least = low - room, most = high + room;
    return {least, most, ticks: ticksOf(least, most, 6).map((value) => [value, figure(value)])};
}

/* Returns whether numbers differ at the time beyond the limits of the case. */
function failsAt(result, time) {
    const found = result.times.find((t) => t.time === time);
    const isOver = (stage) => judgeError(result, stage, found).isOver;
    return Boolean(found) && (found.image.state === 'differs' || ['animate', 'palette', 'skin'].some(isOver));
}

/* The samples of both sides, the golden's as rings; between them each side whose clip is known, with its keys below. */
function drawCurve(result, {samples, lines}, channel) {
    const index = (time) => result.times.findIndex((t) => t.time === time), unit = channel < 3 ? ' units' : '';
    const dense = Object.fromEntries(lines.map(({side, points}) => [side, points.map(({time, at}) => [time, at[channel]])]));
    const pointsOf = (which) => samples.map((sample) => [sample.time, sample[which][channel]]);
    const words = ({time, golden, actual}) => seconds(time) + ': ' + nameOf('golden') + ' ' + figure(golden[channel]) +
        ', ' + nameOf('actual') + ' ' + figure(actual[channel]) + unit;
    const all = [...pointsOf('golden'), ...pointsOf('actual'), ...Object.values(dense).flat()];
    const pick = (time) => () => index(time) >= 0 && showTime(index(time));
    const styleOf = ({time}) => 'curve ' + (failsAt(result, time) ? 'failing' : 'actual');
    const stroke = (side, time, place) => {
        const y = place.bottom - (side === 'golden' ? 8 : 0);
        return makeSvg('line', {class: 'key ' + side, x1: place.x(time), x2: place.x(time), y1: y, y2: y - 7},
                       makeSvg('title', {}, nameOf(side) + ': key at ' + seconds(time)));
    };
    return chart(CHANNELS[channel] + ' of the worst bone over time', 240, all.map(([time]) => time),
        rangeOf(all.map(([, value]) => value)), (place) => [
            ...lines.flatMap(({side, keys}) => keys.map((time) => stroke(side, time, place))),
            ...['golden', 'actual'].map((which) => dense[which] || lines.length === 0
                ? chartLine(dense[which] || pointsOf(which), 'curve ' + which, place) : null),
            ...pointsOf('golden').map((point) => chartDot(point, 'curve golden', '', null, place)),
            ...samples.map((sample) => chartDot([sample.time, sample.actual[channel]], styleOf(sample), words(sample),
                                                pick(sample.time), place))]);
}

function curveSection(result) {
    if (!result.curve || result.curve.samples.length === 0)
        return null;
    const curve = {...result.curve, ...straighten(result.curve)}, place = make('div');
    const channels = CHANNELS.map((name, channel) => [channel, name]);
    let drawn = null;
    const mark = (index) => result.times[index] && drawn.mark(result.times[index].time);
    const show = (channel) => {
        const hadFocus = place.contains(document.activeElement);
        drawn = drawCurve(result, curve, channel);
        place.replaceChildren(choiceGroup('Channel', 'channel', channels, channel, show), drawn.element);
        mark(time);
        if (hadFocus)
            place.querySelector('[aria-pressed=true]').focus();
    };
    marks.push(mark);
    show(worstChannel(result, curve.samples));
    const what = curve.space === 'local' ? 'seen from its parent' : 'in the scene';
    const legend = make('p', {class: 'legend'}, span('', make('i', {class: 'ring'}), nameOf('golden')),
        span('', make('i', {class: 'line curve-actual'}), nameOf('actual')),
        span('', make('i', {class: 'spot-failing'}), 'fails'),
        curve.lines.some(({keys}) => keys.length > 0) && span('hint', 'strokes below: keys of the clip'),
        curve.line_note && span('hint', 'the ' + nameOf('golden') + '\u2019s line: ' + curve.line_note));
    const head = make('p', {class: 'meta'}, nameElement(curve.bone, prefix), what);
    return section('Curve of the worst bone', head, place, legend);
}

/* ---- worst bones ---- */

/* A turned bone is neither moved nor scaled by what rounding makes of it. */
const orZero = (value, least) => Math.abs(value) < least ? 0 : value;

const BONE_COLUMNS = [
    ['bone', 'Bone', (b) => b.bone, null],
    ['mesh', 'Mesh', (b) => b.mesh || '\u2013', null],
    ['stage', 'Stage', (b) => b.stage, (b) => STAGES.indexOf(b.stage)], /* sorted by their order, shown as a word */
    ['time', 'Worst at', (b) => seconds(b.time), (b) => b.time],
    ['displacement', 'Displacement', (b) => percent(b.displacement), (b) => b.displacement],
    ['distance', 'Distance', (b) => figure(b.distance), (b) => b.distance],
    ['degrees', 'Turned', (b) => degrees(b.degrees), (b) => b.degrees],
    ['translation', 'Moved', (b) => figure(b.translation === null ? NaN : orZero(b.translation, 1e-4 * b.distance)), (b) => b.translation],
    ['scale', 'Scaled', (b) => percent(b.scale_percent === null ? NaN : orZero(b.scale_percent, 1e-3) / 100), (b) => b.scale_percent],
];

/* Figures from the largest, names, stages and times from the first. */
const isDescending = ([name, , , number]) => number !== null && name !== 'stage' && name !== 'time';
const cellClass = ([name, , , number]) => number !== null && name !== 'stage' ? 'number' : 'name';

/* A figure that is not known comes last. */
function sortBones(bones, column) {
    const [, , text, number] = column;
    return [...bones].sort((a, b) => {
        if (!number)
            return text(a) < text(b) ? -1 : text(a) > text(b) ? 1 : 0;
        const x = isNumber(number(a)) ? number(a) : -Infinity, y = isNumber(number(b)) ? number(b) : -Infinity;
        return isDescending(column) ? y - x : x - y;
    });
}

function boneTable(result) {
    const body = make('tbody');
    const heads = BONE_COLUMNS.map((column) => make('th', {scope: 'col', class: cellClass(column)},
        button(column[1], () => order(column), {'data-sort': column[0]})));
    function order(chosen) {
        heads.forEach((head, i) => head.setAttribute('aria-sort', BONE_COLUMNS[i] !== chosen ? 'none'
            : isDescending(chosen) ? 'descending' : 'ascending'));
        const rowOf = (bone) => BONE_COLUMNS.map((column) => cell(column[0] === 'bone' ? nameElement(bone.bone, prefix)
            : column[2](bone), cellClass(column)));
        body.replaceChildren(...sortBones(result.bones, chosen).map((bone) => make('tr', {}, ...rowOf(bone))));
    }
    order(BONE_COLUMNS[4]);
    const table = make('table', {class: 'bones'}, make('thead', {}, make('tr', {}, ...heads)), body);
    return make('div', {class: 'wide'}, table);
}

/* ---- bones x times ---- */

const MOST_COLUMNS = 96; /* beyond, a column is the worst of several times */

/* Red grows by decades: none up to the limit, full at the worst of the table. */
function levelOf(value, limit, worst) {
    if (!(value > limit))
        return 0;
    return 0.15 + 0.85 * (worst > limit ? Math.log(value / limit) / Math.log(worst / limit) : 1);
}

function heatColumns(result) {
    const step = Math.ceil(result.times.length / MOST_COLUMNS);
    const columns = [];
    for (let i = 0; i < result.times.length; i += step)
        columns.push([i, Math.min(i + step, result.times.length)]);
    return columns;
}

/* The index of the largest number in values[from..to), or -1. */
function worstIndex(values, from, to) {
    let worst = -1;
    for (let i = from; i < to; i++)
        if (isNumber(values[i]) && (worst < 0 || values[i] > values[worst]))
            worst = i;
    return worst;
}

function heatCell(result, bone, [from, to], limit, worst, pick) {
    const at = worstIndex(bone.over_time, from, to);
    const place = make('td', {'data-from': from, 'data-to': to});
    if (at < 0) {
        place.className = 'unknown';
        place.title = bone.bone + ': not compared';
        return place;
    }
    const value = bone.over_time[at];
    place.title = bone.bone + ' at ' + timeName(result.times[at]) + ': ' + percent(value) + ' of the radius';
    place.style.setProperty('--level', levelOf(value, limit, worst).toFixed(3));
    place.addEventListener('click', () => pick(at));
    return place;
}

function heatMap(result, pick) {
    if (result.bones.length === 0 || result.times.length < 2)
        return null;
    const columns = heatColumns(result);
    const worst = Math.max(...result.bones.flatMap((bone) => bone.over_time.filter(isNumber)), 0);
    const rowsOfBones = result.bones.map((bone) => {
        const limit = limitOf(result, bone.stage) || 1e-5;
        const isOnly = result.bones.filter((other) => other.bone === bone.bone).length === 1;
        return make('tr', {}, rowHead([nameElement(bone.bone, prefix, bone.mesh ? ' of ' + bone.mesh : ''),
                                       isOnly ? null : span('hint', bone.mesh || bone.stage)]),
                    ...columns.map((column) => heatCell(result, bone, column, limit, worst, pick)));
    });
    const table = make('table', {class: 'heat'}, make('tbody', {}, ...rowsOfBones));
    const label = (index) => timeName(result.times[index]);
    const legend = make('p', {class: 'legend'}, label(0) + ' to ' + label(result.times.length - 1),
                        span('', make('i', {class: 'ramp'}), 'from the limit to ' + percent(worst) + ' of the radius'),
                        columns.length < result.times.length && span('hint', 'a column is the worst of several times'));
    return {element: make('div', {class: 'wide'}, table, legend), mark: (index) => {
        for (const place of table.querySelectorAll('td'))
            place.classList.toggle('now', index >= Number(place.dataset.from) && index < Number(place.dataset.to));
    }};
}
