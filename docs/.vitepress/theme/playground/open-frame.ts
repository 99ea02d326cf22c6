import script from './frame/frame.js?single-file'
import style from './frame/frame.css?inline'
import type { FromFrame, ToFrame } from './messages.js'

/** A frame in which code of anybody can run. */
export interface OpenedFrame {
  send(message: ToFrame): void
  /** Ends everything that runs in it. */
  close(): void
}

/**
 * Opens a frame without an origin: it has no access to this page, to storage or to cookies, and its policy forbids every request.
 * It is ready after the message `ready`.
 */
export function openFrame(host: Element, onMessage: (message: FromFrame) => void): OpenedFrame {
  const frame = document.createElement('iframe')
  frame.title = 'Output'
  frame.setAttribute('sandbox', 'allow-scripts')
  frame.srcdoc = PAGE
  const receive = ({ source, data }: MessageEvent<FromFrame>): void => {
    if (source !== null && source === frame.contentWindow) onMessage(data)
  }
  addEventListener('message', receive)
  host.replaceChildren(frame)
  return {
    send: (message) => frame.contentWindow?.postMessage(message, '*'), // an opaque origin has no name
    close() {
      removeEventListener('message', receive)
      frame.remove()
    },
  }
}

const POLICY = "default-src 'none'; script-src 'unsafe-inline' blob: data:; style-src 'unsafe-inline'; img-src data:"

/** Code as the content of a script element. */
const inScript = (code: string): string => code.replace(/<(?=\/script|!--)/gi, '\\x3C')

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>Output</title>
<style>${style}</style>
</head>
<body><main id="output"></main><script>${inScript(script)}</script></body>
</html>`
