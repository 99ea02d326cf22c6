import { encode } from 'uqr'

/** A QR code as a drawing: `path` has the dark modules, in a square of so many modules. */
export interface QrCode {
  readonly size: number
  readonly path: string
}

/** Light modules around the code, without which scanners do not find it. */
const QUIET_ZONE = 4

/** Bytes that the largest code holds at level M. Up to 4,296 upper-case letters and digits fit at level L. */
const MAX_BYTES_AT_M = 2_331

/** The QR code of a text. It is black on white in any colour scheme: many scanners read nothing else. */
export function toQrCode(text: string): QrCode {
  const isLong = new TextEncoder().encode(text).length > MAX_BYTES_AT_M
  const { data, size } = encode(text, { ecc: isLong ? 'L' : 'M', border: QUIET_ZONE })
  return { size, path: toPath(data) }
}

/** Each run of dark modules in a row is one rectangle. */
const toPath = (rows: readonly (readonly boolean[])[]): string =>
  rows
    .map((row, y) =>
      runsOf(row)
        .map(([x, width]) => `M${x} ${y}h${width}v1h-${width}z`)
        .join(''),
    )
    .join('')

/** Start and length of each run. */
function runsOf(row: readonly boolean[]): readonly (readonly [number, number])[] {
  const starts = row.flatMap((isDark, x) => (isDark && row[x - 1] !== true ? [x] : []))
  return starts.map((start) => {
    const end = row.indexOf(false, start)
    return [start, (end < 0 ? row.length : end) - start]
  })
}
