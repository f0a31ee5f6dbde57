#!/usr/bin/env python3
"""The image metrics once more, straight from their definitions: numpy, double precision, FLIP's filters as whole
two-dimensional kernels over whole pictures. Prints the numbers frozen in test_image_metrics.c.

With --raw FOLDER it also writes the pictures as FOLDER/<pair>_<a|b>.<width>x<height>.rgba, for other programs."""
import sys
import numpy as np

# ---- pictures, as in pictures.h -----------------------------------------------------------------------------------


def noise(width, height, seed, opaque):
    data = np.zeros(width * height * 4, np.uint8)
    for i in range(data.size):
        seed = (seed * 1664525 + 1013904223) % 2**32
        data[i] = 255 if opaque and i % 4 == 3 else seed >> 24
    return data.reshape(height, width, 4)


def disc(width, height, x8, y8, r8, color, ground):
    y, x = np.mgrid[0:height, 0:width]
    inside = np.zeros((height, width), int)
    for s in range(16):
        inside += (x * 8 + s % 4 * 2 + 1 - x8) ** 2 + (y * 8 + s // 4 * 2 + 1 - y8) ** 2 <= r8 * r8
    inside = inside[..., None]
    return ((np.array(color) * inside + np.array(ground) * (16 - inside) + 8) // 16).astype(np.uint8)


RED, GREY, CLEAR = (200, 40, 30, 255), (128, 128, 128, 255), (0, 0, 0, 0)
PAIRS = {
    "noise": (noise(24, 17, 1, True), noise(24, 17, 2, True)),
    "noise_alpha": (noise(24, 17, 3, False), noise(24, 17, 4, False)),
    "disc_quarter": (disc(64, 48, 256, 192, 120, RED, GREY), disc(64, 48, 258, 192, 120, RED, GREY)),
    "disc_two": (disc(64, 48, 256, 192, 120, RED, GREY), disc(64, 48, 272, 200, 120, RED, GREY)),
    "disc_clear": (disc(64, 48, 256, 192, 120, RED, CLEAR), disc(64, 48, 262, 189, 120, RED, CLEAR)),
    "disc_corner": (disc(40, 30, 16, 16, 90, RED, GREY), disc(40, 30, 18, 20, 90, RED, GREY)),
    "column": (noise(1, 40, 5, True), noise(1, 40, 6, True)),
    "row": (noise(40, 1, 7, True), noise(40, 1, 8, True)),
    "speck": (noise(3, 2, 9, True), noise(3, 2, 10, True)),
    "one": (noise(1, 1, 11, False), noise(1, 1, 12, False)),
}

# ---- pixelmatch 7.2.0 ---------------------------------------------------------------------------------------------


def channel_differences(p, q, k):
    p, q = p.astype(float), q.astype(float)
    if p[3] == 255 and q[3] == 255:
        return p[:3] - q[:3]
    over = 48 + 159.0 * np.array([k % 2, int(k / 1.618033988749895) % 2, int(k / 2.618033988749895) % 2])
    return (p[:3] * p[3] - q[:3] * q[3] - over * (p[3] - q[3])) / 255


def color_distance(d):
    i = d[0] * 0.59597799 - d[1] * 0.27417610 - d[2] * 0.32180189
    q = d[0] * 0.21147017 - d[1] * 0.52261711 + d[2] * 0.31114694
    y = d[0] * 0.29889531 + d[1] * 0.58662247 + d[2] * 0.11448223
    return 0.5053 * y * y + 0.299 * i * i + 0.1957 * q * q


def pixelmatch(a, b):
    width = a.shape[1]
    return sum(color_distance(channel_differences(a[y, x], b[y, x], 4 * (y * width + x))) > 35215 * 0.1 ** 2
               for y in range(a.shape[0]) for x in range(width))


# ---- LDR-FLIP 1.7 -------------------------------------------------------------------------------------------------

PPD = 0.7 * 3840 / 0.7 * np.pi / 180


def rgb_to_xyz():
    chromaticities = np.array([[0.64, 0.33], [0.30, 0.60], [0.15, 0.06], [0.31271, 0.32902]])
    columns = np.array([[x / y, 1, (1 - x - y) / y] for x, y in chromaticities]).T
    return columns[:, :3] * np.linalg.solve(columns[:, :3], columns[:, 3]), columns[:, 3]


TO_XYZ, WHITE = rgb_to_xyz()


def linear(srgb):
    return np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)


def ycxcz(rgb):
    x, y, z = np.moveaxis(rgb @ TO_XYZ.T / WHITE, -1, 0)
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], -1)


def rgb_from_ycxcz(v):
    y = (v[..., 0] + 16) / 116
    return np.stack([y + v[..., 1] / 500, y, y - v[..., 2] / 200], -1) * WHITE @ np.linalg.inv(TO_XYZ).T


def hunt_lab(rgb):
    t = rgb @ TO_XYZ.T / WHITE
    d = 6 / 29
    x, y, z = np.moveaxis(np.where(t > d**3, np.cbrt(t), t / (3 * d * d) + 4 / 29), -1, 0)
    lightness = 116 * y - 16
    return np.stack([lightness, 0.01 * lightness * 500 * (x - y), 0.01 * lightness * 200 * (y - z)], -1)


def distance(p, q):
    d = p - q
    return (abs(d[..., 0]) + np.hypot(d[..., 1], d[..., 2])) ** 0.7


def convolve(plane, kernel):
    r = kernel.shape[0] // 2
    padded = np.pad(plane, r, mode="edge")
    out = np.zeros_like(plane)
    for j in range(2 * r + 1):
        for i in range(2 * r + 1):
            out += kernel[j, i] * padded[j:j + plane.shape[0], i:i + plane.shape[1]]
    return out


def seen(image):
    r = int(np.ceil(3 * np.sqrt(0.04 / (2 * np.pi**2)) * PPD))
    y, x = np.mgrid[-r:r + 1, -r:r + 1] / PPD
    gauss = lambda a, b: a * np.sqrt(np.pi / b) * np.exp(-np.pi**2 * (x * x + y * y) / b)
    kernels = [gauss(1, 0.0047), gauss(1, 0.0053), gauss(34.1, 0.04) + gauss(13.5, 0.025)]
    planes = [convolve(image[..., c], k / k.sum()) for c, k in enumerate(kernels)]
    return hunt_lab(np.clip(rgb_from_ycxcz(np.stack(planes, -1)), 0, 1))


def normalized(kernel):
    return np.where(kernel > 0, kernel / kernel[kernel > 0].sum(), kernel / -kernel[kernel < 0].sum())


def strength(image, kind):
    sigma = 0.5 * 0.082 * PPD
    r = int(np.ceil(3 * sigma))
    y, x = np.mgrid[-r:r + 1, -r:r + 1]
    g = np.exp(-(x * x + y * y) / (2 * sigma * sigma))
    kernel = normalized(-x * g if kind == "edge" else (x * x / sigma**2 - 1) * g)
    plane = (image[..., 0] + 16) / 116
    return np.hypot(convolve(plane, kernel), convolve(plane, kernel.T))


def flip_over(a, b, backdrop):
    pictures = []
    for image in (a.astype(int), b.astype(int)):
        alpha = image[..., 3:]
        over = (image[..., :3] * alpha + backdrop * (255 - alpha) + 127) // 255
        pictures.append(ycxcz(linear(over / 255)))
    p, q = pictures
    largest = distance(hunt_lab(np.array([0.0, 1, 0])), hunt_lab(np.array([0.0, 0, 1])))
    knee = 0.4 * largest
    d = distance(seen(p), seen(q))
    d = np.where(d < knee, 0.95 / knee * d, 0.95 + 0.05 * (d - knee) / (largest - knee))
    features = [abs(strength(p, kind) - strength(q, kind)) for kind in ("edge", "point")]
    return d ** (1 - np.sqrt(np.maximum(*features) / np.sqrt(2)))


def flip(a, b):
    return np.maximum(flip_over(a, b, 0), flip_over(a, b, 255))


def nearest_rank(errors):
    return np.sort(errors, axis=None)[errors.size - 1 - errors.size // 1000]


def main():
    for name, (a, b) in PAIRS.items():
        errors = flip(a, b)
        inside = errors[errors.shape[0] // 2, errors.shape[1] * 3 // 4]
        print(f"{name}: pixelmatch {pixelmatch(a, b)} flip mean {errors.mean():.7f} p99.9 {nearest_rank(errors):.7f} "
              f"max {errors.max():.7f} first {errors[0, 0]:.7f} inside {inside:.7f}")
        if sys.argv[1:2] == ["--raw"]:
            for letter, image in (("a", a), ("b", b)):
                image.tofile(f"{sys.argv[2]}/{name}_{letter}.{a.shape[1]}x{a.shape[0]}.rgba")


if __name__ == "__main__":
    main()
