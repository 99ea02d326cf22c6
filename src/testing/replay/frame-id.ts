import type { FrameData } from '../../engine/recorder/memory.js'
import { methodEntry } from '../../node/messages/lookup.js'

/** The id of a request or a response, and the frame without it, which is equal for equal requests. */
export interface Identified {
  readonly id: bigint
  readonly content: string
}

/** In Borsh the id is an option: one byte, then 64 bits, little-endian. In JSON it is the first member. */
const BORSH_ID = 9
const SUBSCRIBE = /*#__PURE__*/ (() => methodEntry('subscribe').op)()
const JSON_SUBSCRIPTION = /^,\s*"method"\s*:\s*"subscribe"/
const JSON_ID = /^(\s*\{\s*"id"\s*:\s*)(\d{1,20})(?=\s*[,}])/

/** The id of a frame; null for a notification, and for a frame whose id cannot be read. */
export function identify(frame: FrameData): Identified | null {
  if (typeof frame === 'string') {
    const [leading = '', , digits] = JSON_ID.exec(frame) ?? []
    return digits === undefined ? null : { id: BigInt(digits), content: frame.slice(leading.length) }
  }
  if (frame.length < BORSH_ID || frame[0] !== 1) return null
  return { id: viewOf(frame).getBigUint64(1, true), content: toText(frame.subarray(BORSH_ID)) }
}

/** Whether an identified request subscribes to notifications. */
export const isSubscription = ({ content }: Identified): boolean =>
  content.charCodeAt(0) === SUBSCRIBE || JSON_SUBSCRIPTION.test(content)

/** The same frame with another id. */
export function withId(frame: FrameData, id: bigint): FrameData {
  if (typeof frame === 'string') return frame.replace(JSON_ID, (_, leading: string) => `${leading}${id}`)
  const copy = frame.slice()
  viewOf(copy).setBigUint64(1, id, true)
  return copy
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>): DataView =>
  new DataView(buffer, byteOffset, byteLength)

/** A text that is equal for equal bytes. */
const toText = (bytes: Uint8Array): string => new TextDecoder('latin1').decode(bytes)
