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

/* ---- error over time ---- */

const PLOT = {width: 720, height: 220, left: 54, right: 12, top: 12, bottom: 30, floor: 1e-9};

function seriesOf(result) {
    const pointsOf = (stage) => result.times.map((t, index) => ({index, x: t.time, y: t.error[stage]}));
    return STAGES.slice(1).map((stage) => ({stage, points: pointsOf(stage).filter((point) => isNumber(point.y))}))
        .filter((series) => series.points.length > 0);
}

/* Decades that hold all errors and limits; zero lies at the bottom. */
function decadesOf(result, series) {
    const values = [...series.flatMap((s) => s.points.map((p) => p.y)), ...series.map((s) => limitOf(result, s.stage))]
        .filter((value) => isNumber(value) && value > 0);
    const least = Math.max(Math.min(...values, 1e-5), PLOT.floor), most = Math.max(...values, 1e-5);
    return [Math.floor(Math.log10(least)) - 1, Math.ceil(Math.log10(most) + 1e-9)];
}

function scalesOf(result, series) {
    const [low, high] = decadesOf(result, series);
    const times = result.times.map((time) => time.time);
    const first = Math.min(...times), last = Math.max(...times);
    const inner = {width: PLOT.width - PLOT.left - PLOT.right, height: PLOT.height - PLOT.top - PLOT.bottom};
    const level = (value) => (Math.log10(Math.max(value, 1e-300)) - low) / (high - low);
    return {
        low, high, first, last,
        x: (t) => PLOT.left + (last > first ? (t - first) / (last - first) : 0.5) * inner.width,
        y: (value) => PLOT.top + inner.height * (1 - clamp(level(value), 0, 1)),
    };
}

function plotGrid(scales) {
    const lines = [], step = Math.ceil((scales.high - scales.low) / 8);
    for (let decade = scales.low; decade <= scales.high; decade += step) {
        const y = scales.y(10 ** decade);
        lines.push(makeSvg('line', {class: 'grid', x1: PLOT.left, x2: PLOT.width - PLOT.right, y1: y, y2: y}),
                   makeSvg('text', {class: 'tick', x: PLOT.left - 8, y: y + 4, 'text-anchor': 'end'},
                           decade === scales.low ? '0' : '1e' + decade));
    }
    for (const [time, anchor] of [[scales.first, 'start'], [scales.last, 'end']])
        lines.push(makeSvg('text', {class: 'tick', x: scales.x(time), y: PLOT.height - 8,
                                    'text-anchor': scales.first === scales.last ? 'middle' : anchor}, seconds(time)));
    return lines;
}

function plotSeries(result, series, scales, pick) {
    const places = series.points.map((p) => [scales.x(p.x).toFixed(1), scales.y(p.y).toFixed(1)]);
    const path = places.map((place, i) => (i ? 'L' : 'M') + place.join(' '));
    const dots = series.points.map((p, i) =>
        makeSvg('circle', {cx: places[i][0], cy: places[i][1], r: 3.5, onclick: () => pick(p.index)},
                makeSvg('title', {}, series.stage + ' at ' + seconds(p.x) + ': ' + percent(p.y))));
    return makeSvg('g', {class: 'series ' + series.stage}, makeSvg('path', {d: path.join('')}), ...dots);
}

/* Stages often have the same limit: one line for each value. */
function plotLimits(result, series, scales) {
    const limits = new Map(), [left, right] = [PLOT.left, PLOT.width - PLOT.right];
    for (const {stage} of series) {
        const limit = limitOf(result, stage);
        if (isNumber(limit) && limit > 0)
            limits.set(limit, [...(limits.get(limit) || []), stage]);
    }
    return [...limits].flatMap(([limit, stages]) => [
        makeSvg('line', {class: 'limit', x1: left, x2: right, y1: scales.y(limit), y2: scales.y(limit)}),
        makeSvg('text', {class: 'tick', x: right, y: scales.y(limit) - 5, 'text-anchor': 'end'},
                'limit of ' + stages.join(', ')),
    ]);
}

function errorPlot(result, pick) {
    const series = seriesOf(result);
    if (series.length === 0 || result.times.length < 2)
        return null;
    const scales = scalesOf(result, series);
    const now = makeSvg('line', {class: 'now', y1: PLOT.top, y2: PLOT.height - PLOT.bottom});
    const plot = makeSvg('svg', {viewBox: '0 0 ' + PLOT.width + ' ' + PLOT.height, class: 'plot', role: 'img',
                                 'aria-label': 'Error of each stage over time, logarithmic'},
                         ...plotGrid(scales), now, ...plotLimits(result, series, scales),
                         ...series.map((s) => plotSeries(result, s, scales, pick)));
    const legend = make('p', {class: 'legend'}, ...series.map((s) =>
        span('', make('i', {class: 'line ' + s.stage}), s.stage)),
        span('hint', 'fraction of the radius; draw: share of the foreground'));
    return {element: make('div', {}, plot, legend), mark: (index) => {
        const x = scales.x(result.times[index].time);
        now.setAttribute('x1', x);
        now.setAttribute('x2', x);
    }};
}

/* ---- worst bones ---- */

/* What rounding makes of a turned bone is neither moved nor scaled. */
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
function isDescending([name, , , number]) {
    return number !== null && name !== 'stage' && name !== 'time';
}

function cellClass([name, , , number]) {
    return number !== null && name !== 'stage' ? 'number' : 'name';
}

/* What is not known comes last in figures. */
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
        const rowOf = (bone) => BONE_COLUMNS.map((column) => cell(column[2](bone), cellClass(column)));
        body.replaceChildren(...sortBones(result.bones, chosen).map((bone) => make('tr', {}, ...rowOf(bone))));
    }
    order(BONE_COLUMNS[4]);
    const table = make('table', {class: 'bones'}, make('thead', {}, make('tr', {}, ...heads)), body);
    return make('div', {class: 'wide'}, table);
}

/* ---- bones x times ---- */

const MOST_COLUMNS = 96; /* beyond, a column is the worst of several times */

/* How red: none up to the limit, full at the worst of the table, by decades. */
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

/* A bone that several meshes or stages have needs more than its name. */
function rowName(result, bone) {
    const isOnly = result.bones.filter((other) => other.bone === bone.bone).length === 1;
    return isOnly ? bone.bone : bone.bone + ', ' + (bone.mesh || bone.stage);
}

function heatMap(result, pick) {
    if (result.bones.length === 0 || result.times.length < 2)
        return null;
    const columns = heatColumns(result);
    const worst = Math.max(...result.bones.flatMap((bone) => bone.over_time.filter(isNumber)), 0);
    const rowsOfBones = result.bones.map((bone) => {
        const limit = limitOf(result, bone.stage) || 1e-5;
        const full = bone.mesh ? bone.bone + ' of ' + bone.mesh : bone.bone;
        return make('tr', {}, make('th', {scope: 'row', title: full}, rowName(result, bone)),
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
