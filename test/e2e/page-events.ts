import type { BrowserContext, Page, Request } from 'playwright-core'

/** How many events of all pages a failure repeats. */
const LAST = 30

/** A page that loads, and has had no event for so long, stands still, ms. */
const STILL = 120_000

/** Events of the pages of this worker since the beginning of the test, oldest first. */
const events: { readonly at: number; readonly text: string }[] = []

/** Pages that are open, with their progress. */
const pages = new Map<Page, Progress>()

interface Progress {
  /** When the last event occurred. */
  last: number
  /** Received frames of WebSockets. */
  frames: number
}

/** Forgets the events of earlier tests. */
export const clearPageEvents = (): void => void events.splice(0)

/** The last events of all pages, one a line, with seconds before now, and the received frames of each open page. */
export function describePages(): string {
  const seconds = (at: number): string => ((Date.now() - at) / 1_000).toFixed(1).padStart(7)
  const open = [...pages].map(
    ([page, { last, frames }]) => `${seconds(last)} s ago  last event of ${page.url()}, ${frames} frames so far`,
  )
  return [...events.slice(-LAST).map(({ at, text }) => `${seconds(at)} s ago  ${text}`), ...open].join('\n')
}

/**
 * Records the events of all pages of a context. Its actions have no limit but that of their test, because machines
 * differ; a page that loads is closed, with its last events as the reason, where it stands still for so long, ms.
 */
export function watchContext(context: BrowserContext, still = STILL): void {
  context.setDefaultTimeout(0)
  context.on('page', (page) => watchPage(page, still))
}

function watchPage(page: Page, still: number): void {
  const progress: Progress = { last: Date.now(), frames: 0 }
  pages.set(page, progress)
  const record = (text: string): void => {
    progress.last = Date.now()
    events.push({ at: progress.last, text })
    if (events.length > 2 * LAST) events.splice(0, LAST)
  }
  closeWhereStill(page, progress, still)
  page.on('request', (request) => record(`request ${describe(request)}`))
  page.on('requestfinished', (request) => record(`response ${describe(request)}`))
  page.on('requestfailed', (request) => record(`failed ${describe(request)}: ${request.failure()?.errorText}`))
  page.on('framenavigated', (frame) => record(`navigated to ${frame.url()}`))
  page.on('domcontentloaded', () => record(`parsed ${page.url()}`))
  page.on('load', () => record(`loaded ${page.url()}`))
  page.on('console', (message) => record(`console ${message.type()}: ${message.text().slice(0, 200)}`))
  page.on('pageerror', (error) => record(`exception ${String(error)}`))
  page.on('crash', () => record(`crashed ${page.url()}`))
  page.on('websocket', (socket) => {
    record(`WebSocket ${socket.url()}`)
    socket.on('framereceived', () => {
      progress.last = Date.now()
      progress.frames++
    })
    socket.on('close', () => record(`WebSocket closed ${socket.url()}`))
  })
  page.on('close', () => pages.delete(page))
}

const describe = (request: Request): string => `${request.method()} ${request.url().slice(0, 120)}`

/** Closes a page that stands still between the request of a document and its load. */
function closeWhereStill(page: Page, progress: Progress, still: number): void {
  let timer: ReturnType<typeof setInterval> | undefined
  const end = (): void => clearInterval(timer)
  page.on('request', (request) => {
    if (!request.isNavigationRequest() || request.frame() !== page.mainFrame()) return
    end()
    timer = setInterval(() => {
      if (Date.now() - progress.last < still) return
      end()
      void page.close({ reason: `${page.url()} loads without an event for ${still / 1_000} s.\n${describePages()}` })
    }, 1_000)
  })
  page.on('load', end)
  page.on('close', end)
}
