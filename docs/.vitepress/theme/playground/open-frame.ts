import script from './frame/frame.js?single-file'
import style from './frame/frame.css?inline'
import type { FromFrame, Signed, ToFrame } from './messages.js'

/** A frame in which code of anybody can run. */
export interface OpenedFrame {
  send(message: ToFrame): void
  /** Ends everything that runs in it. */
  close(): void
}

export interface FrameHandlers {
  onMessage(message: FromFrame): void
  /** The frame went to another page: it was closed. */
  onLeave(): void
}

/**
 * Opens a frame without an origin: it has no access to this page, to storage or to cookies, and its policy forbids
 * every request. It is ready after the message `ready`. Only messages with the mark of this run count: the window of
 * the frame stays the same where it goes to another page, whose messages are not the program's.
 */
export function openFrame(host: Element, { onMessage, onLeave }: FrameHandlers): OpenedFrame {
  const frame = document.createElement('iframe')
  const run = crypto.randomUUID()
  frame.title = 'Output'
  frame.setAttribute('sandbox', 'allow-scripts')
  frame.srcdoc = pageOf(run, crypto.randomUUID())
  const receive = ({ source, data }: MessageEvent<Partial<Signed<FromFrame>> | null>): void => {
    if (source === null || source !== frame.contentWindow || data?.run !== run || data.message === undefined) return
    onMessage(data.message)
  }
  const close = (): void => {
    removeEventListener('message', receive)
    frame.onload = null
    frame.remove()
  }
  frame.onload = () => {
    frame.onload = () => {
      close()
      onLeave()
    }
  }
  addEventListener('message', receive)
  host.replaceChildren(frame)
  return {
    send: (message) => frame.contentWindow?.postMessage(message, '*'), // an opaque origin has no name
    close,
  }
}

/** Code as the content of a script element. */
const inScript = (code: string): string => code.replace(/<(?=\/script|!--)/gi, '\\x3C')

/**
 * Scripts need the nonce, which the frame's script removes from the page before it runs the program: a frame within
 * this one, which would have WebRTC again, inherits the policy and runs no script.
 */
function pageOf(run: string, nonce: string): string {
  const policy = `default-src 'none'; script-src 'nonce-${nonce}' 'strict-dynamic'; worker-src blob: data:; style-src 'unsafe-inline'; img-src data:`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>Output</title>
<style>${style}</style>
</head>
<body><main id="output"></main><script nonce="${nonce}" data-run="${run}">${inScript(script)}</script></body>
</html>`
}
