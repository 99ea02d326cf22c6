/** What a program could reach other hosts with although the policy forbids every request. */
const CHANNELS = [
  'RTCPeerConnection',
  'webkitRTCPeerConnection',
  'RTCDataChannel',
  'RTCIceTransport',
  'RTCSctpTransport',
]

/** What the frame's own script may use, and the program may not. */
export interface Identity {
  /** The mark of this run in every message. */
  readonly run: string
  /** Allows a script element. */
  readonly nonce: string
}

/** Removes WebRTC, and the marks of the frame's script from the page. Before any code of the reader runs. */
export function isolate(): Identity {
  for (const name of CHANNELS) {
    Object.defineProperty(globalThis, name, { value: undefined, configurable: false, writable: false })
  }
  const script = document.currentScript
  const identity = { run: script?.dataset['run'] ?? '', nonce: script?.nonce ?? '' }
  for (const element of document.querySelectorAll('script, meta[http-equiv]')) element.remove()
  return identity
}
