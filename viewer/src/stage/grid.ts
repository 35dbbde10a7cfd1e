/** Lines every so many metres, with numbers at the left and lower edge. */
import type { Ink } from "../ui/palette";
import { tickLabels, ticks, type Ticks } from "../ui/numbers";
import type { Brush } from "./brush";

interface Lines { xs: Ticks; ys: Ticks }

function lines(brush: Brush): Lines {
  const halfWidth = brush.width / 2 / brush.scale;
  const halfHeight = brush.height / 2 / brush.scale;
  const count = Math.max(2, Math.round(brush.width / 90));
  const xs = ticks(brush.x - halfWidth, brush.x + halfWidth, count);
  const step = xs.values.length > 1 ? xs.values[1]! - xs.values[0]! : halfHeight;
  const ys = ticks(brush.y - halfHeight, brush.y + halfHeight, Math.max(1, Math.round((2 * halfHeight) / step)));
  return { xs, ys };
}

export function drawGrid(brush: Brush, ink: Ink): void {
  const { ctx, width, height } = brush;
  const { xs, ys } = lines(brush);
  ctx.strokeStyle = ink.grid;
  ctx.lineWidth = 1;
  ctx.beginPath();
  for (const x of xs.values) {
    const px = Math.round(brush.px(x)) + 0.5;
    ctx.moveTo(px, 0);
    ctx.lineTo(px, height);
  }
  for (const y of ys.values) {
    const py = Math.round(brush.py(y)) + 0.5;
    ctx.moveTo(0, py);
    ctx.lineTo(width, py);
  }
  ctx.stroke();
}

/** The numbers, over the surfaces. */
export function drawGridLabels(brush: Brush, ink: Ink): void {
  const { ctx, width, height } = brush;
  const { xs, ys } = lines(brush);
  const [xLabels, yLabels] = [tickLabels(xs), tickLabels(ys)];
  ctx.fillStyle = ink.faint;
  ctx.font = `11px ${brush.font}`;
  ctx.textAlign = "center";
  ctx.textBaseline = "alphabetic";
  xs.values.forEach((x, i) => {
    const px = brush.px(x);
    if (px > 44 && px < width - 34) ctx.fillText(xLabels[i]!, px, height - 6);
  });
  ctx.textAlign = "left";
  ctx.textBaseline = "middle";
  ys.values.forEach((y, i) => {
    const py = brush.py(y);
    if (py > 12 && py < height - 26) ctx.fillText(yLabels[i]!, 6, py - 7);
  });
  ctx.textAlign = "right";
  ctx.textBaseline = "alphabetic";
  ctx.fillText("m", width - 8, height - 6);
}
