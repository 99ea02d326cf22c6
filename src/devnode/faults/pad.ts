import type { Frame } from '../../wrpc/codec.js'
import type { FaultKind } from './fault.js'
import { isOf, WHICH, type Which } from './which.js'

export type PadSettings = {
  /** How much is added to each message. 104,857,600 makes it larger than most WebSocket clients take. */
  readonly bytes: number
  readonly of: Which
}

/** Messages hold more than the client knows of, as those of a newer node do: trailing bytes in Borsh, a field in JSON. */
export const pad: FaultKind<PadSettings> = {
  about: 'Adds to each message what no client knows of.',
  settings: { bytes: 8, of: 'any' },
  choices: { of: WHICH },
  create: ({ bytes, of }, scene) => ({
    parcel(parcel) {
      if (!isOf(parcel, of)) return [parcel]
      scene.struck()
      const { frame } = parcel
      return [{ ...parcel, frame: typeof frame === 'string' ? withField(frame, bytes) : withTail(frame, bytes) }]
    },
  }),
}

/** Where what an answer says begins, and what a notification says under its name. */
const ANSWER = /"params":\{/
const NOTIFICATION = /^\{"method":"\w+","params":\{"\w+":\{/

function withField(frame: string, length: number): Frame {
  const opening = NOTIFICATION.test(frame) ? NOTIFICATION : ANSWER
  return frame.replace(opening, (head, at: number) => {
    const isEmpty = frame.charAt(at + head.length) === '}'
    return `${head}"ofTomorrow":"${'+'.repeat(length)}"${isEmpty ? '' : ','}`
  })
}

/** Bytes at the end of the body, which is the end of the frame; the lengths that stand before it count them. */
function withTail(frame: Uint8Array, length: number): Frame {
  const places = lengthsIn(frame)
  if (places.length === 0) return new Uint8Array(frame)
  const longer = new Uint8Array(frame.length + length)
  longer.set(frame)
  const view = new DataView(longer.buffer)
  for (const place of places) view.setUint32(place, view.getUint32(place, true) + length, true)
  return longer
}

/** Where lengths stand: id, kind and operation come first. An error has none. */
function lengthsIn(frame: Uint8Array): readonly number[] {
  const [hasId, kind] = [frame[0] === 1, frame[0] === 1 ? frame[9] : frame[1]]
  if (hasId) return kind === 0 && frame[12] === 1 ? [13] : []
  return kind === 0xff ? [4, 12] : []
}
