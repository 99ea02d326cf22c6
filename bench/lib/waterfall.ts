import type { CDPSession } from 'playwright-core'

/** What a page requests until the first message of its WebSocket, the handshake of that included. */
export interface Waterfall {
  readonly requests: number
  /** The longest chain of requests, each begun after the end of the one before. */
  readonly roundTrips: number
}

interface Span {
  readonly start: number
  end: number
}

/** Records the requests of a page; returns a reader of its waterfall. Needs the domain `Network` enabled. */
export function recordWaterfall(session: CDPSession): () => Waterfall {
  const spans = new Map<string, Span>()
  let isOver = false
  const begin = ({ requestId, timestamp }: { requestId: string; timestamp: number }): void => {
    if (!isOver) spans.set(requestId, { start: timestamp, end: Infinity })
  }
  const end = ({ requestId, timestamp }: { requestId: string; timestamp: number }): void => {
    const span = spans.get(requestId)
    if (!isOver && span !== undefined) span.end = timestamp
  }
  session.on('Network.requestWillBeSent', begin)
  session.on('Network.webSocketWillSendHandshakeRequest', begin)
  session.on('Network.loadingFinished', end)
  session.on('Network.webSocketHandshakeResponseReceived', end)
  session.on('Network.webSocketFrameReceived', () => (isOver = true))
  return () => {
    const ended = [...spans.values()].filter((span) => span.end < Infinity)
    return { requests: ended.length, roundTrips: longestChain(ended) }
  }
}

function longestChain(spans: readonly Span[]): number {
  const chains: (Span & { length: number })[] = []
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    const before = chains.filter(({ end }) => end <= span.start).map(({ length }) => length)
    chains.push({ ...span, length: 1 + Math.max(0, ...before) })
  }
  return Math.max(0, ...chains.map(({ length }) => length))
}
