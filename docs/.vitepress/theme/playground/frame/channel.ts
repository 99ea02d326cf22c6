import type { FromFrame, Signed, ToFrame } from '../messages.js'

/** The messages between the frame's script and the page. */
export interface Channel {
  post(message: FromFrame): void
  listen(onMessage: (message: ToFrame) => void): void
}

/** Opens the channel before any code of the reader runs. `run` marks each message to the page. */
export function openChannel(run: string): Channel {
  const page = parent // the program may replace the property
  return {
    post: (message) => {
      const signed: Signed<FromFrame> = { run, message }
      page.postMessage(signed, '*') // this frame has no origin
    },
    listen: (onMessage) =>
      addEventListener('message', ({ source, data }: MessageEvent<ToFrame>) => {
        if (source === page) onMessage(data)
      }),
  }
}
