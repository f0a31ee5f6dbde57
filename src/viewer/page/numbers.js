/* Vectors are arrays of three; matrices 16 numbers by columns, many of them in one array at 16 times their index. */

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const subtract = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const scale = (a, by) => [a[0] * by, a[1] * by, a[2] * by];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const length = (a) => Math.hypot(a[0], a[1], a[2]);

function normalize(a) {
    const size = length(a);
    return size > 0 ? scale(a, 1 / size) : [0, 0, 0];
}

/* out[k..] = a[i..] b[j..], of affine maps: the last row is 0 0 0 1. `out` is neither of them. */
function multiplyAffine(a, i, b, j, out, k) {
    for (let column = 0; column < 4; column++) {
        const x = b[j + 4 * column], y = b[j + 4 * column + 1], z = b[j + 4 * column + 2];
        for (let row = 0; row < 3; row++)
            out[k + 4 * column + row] = a[i + row] * x + a[i + 4 + row] * y + a[i + 8 + row] * z +
                (column === 3 ? a[i + 12 + row] : 0);
        out[k + 4 * column + 3] = column === 3 ? 1 : 0;
    }
}

function multiply(a, b) {
    const out = new Float64Array(16);
    for (let column = 0; column < 4; column++)
        for (let row = 0; row < 4; row++)
            for (let k = 0; k < 4; k++)
                out[4 * column + row] += a[4 * k + row] * b[4 * column + k];
    return out;
}

function invert(m) {
    const rows = [0, 1, 2, 3].map((r) => [0, 1, 2, 3].map((c) => m[4 * c + r])
        .concat([0, 1, 2, 3].map((c) => Number(c === r)))); /* Gauss and Jordan */
    for (let c = 0; c < 4; c++) {
        let pivot = c;
        for (let r = c + 1; r < 4; r++)
            if (Math.abs(rows[r][c]) > Math.abs(rows[pivot][c]))
                pivot = r;
        [rows[c], rows[pivot]] = [rows[pivot], rows[c]];
        const by = rows[c][c];
        rows[c] = rows[c].map((value) => value / by);
        for (let r = 0; r < 4; r++)
            if (r !== c) {
                const times = rows[r][c];
                rows[r] = rows[r].map((value, k) => value - times * rows[c][k]);
            }
    }
    return Float64Array.from({length: 16}, (_, i) => rows[i % 4][4 + (i >> 2)]);
}

/* [x, y, z, w] of a point. */
const transform = (m, p) => [0, 1, 2, 3].map((r) => m[r] * p[0] + m[4 + r] * p[1] + m[8 + r] * p[2] + m[12 + r]);

/* Translation, rotation (x, y, z, w) and scale: ten numbers at i. */
function composeTransform(t, i, out, k) {
    const x = t[i + 3], y = t[i + 4], z = t[i + 5], w = t[i + 6];
    const columns = [
        1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y),
        2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x),
        2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)];
    for (let column = 0; column < 3; column++) {
        for (let row = 0; row < 3; row++)
            out[k + 4 * column + row] = columns[3 * column + row] * t[i + 7 + column];
        out[k + 4 * column + 3] = 0;
        out[k + 12 + column] = t[i + column];
    }
    out[k + 15] = 1;
}

function normalizeQuaternion(q, i) {
    const size = Math.hypot(q[i], q[i + 1], q[i + 2], q[i + 3]);
    for (let k = 0; k < 4 && size > 0; k++)
        q[i + k] /= size;
}

/* Along the shortest arc from a to b, unit quaternions; u beyond 0..1 goes on at the same speed. */
function slerp(a, i, b, j, u, out, k) {
    let cosine = a[i] * b[j] + a[i + 1] * b[j + 1] + a[i + 2] * b[j + 2] + a[i + 3] * b[j + 3];
    const side = cosine < 0 ? -1 : 1;
    cosine *= side;
    const angle = Math.acos(Math.min(cosine, 1)), sine = Math.sin(angle);
    const from = sine > 1e-6 ? Math.sin((1 - u) * angle) / sine : 1 - u;
    const to = side * (sine > 1e-6 ? Math.sin(u * angle) / sine : u);
    for (let c = 0; c < 4; c++)
        out[k + c] = from * a[i + c] + to * b[j + c];
    normalizeQuaternion(out, k);
}

/* Degrees about x, then y, then z of a matrix, and its scales, for people to read. */
function describeTransform(m) {
    const columns = [0, 1, 2].map((c) => [m[4 * c], m[4 * c + 1], m[4 * c + 2]]);
    const sizes = columns.map(length);
    if (dot(columns[0], cross(columns[1], columns[2])) < 0)
        sizes[0] = -sizes[0];
    const [x, y, z] = columns.map((column, i) => sizes[i] === 0 ? [0, 0, 0] : scale(column, 1 / sizes[i]));
    const degrees = 180 / Math.PI, level = Math.hypot(x[0], x[1]);
    const angles = level > 1e-6 ? [Math.atan2(y[2], z[2]), Math.atan2(-x[2], level), Math.atan2(x[1], x[0])]
                                : [Math.atan2(-z[1], y[1]), Math.atan2(-x[2], level), 0];
    return {position: [m[12], m[13], m[14]], angles: angles.map((angle) => angle * degrees), scale: sizes};
}

/* Four digits, of one width: "-0.1234", "12.35". What is nothing beside `most`, the largest of its kind, is 0. */
function digits(value, most = 0) {
    if (!Number.isFinite(value))
        return String(value);
    const size = Math.abs(value) < 1e-6 * most ? 0 : Math.abs(value);
    if (size !== 0 && (size < 5e-5 || size >= 1e5))
        return value.toExponential(1);
    return (size < 5e-5 ? 0 : value).toFixed(size < 10 ? 4 : size < 100 ? 3 : size < 1000 ? 2 : 1);
}
