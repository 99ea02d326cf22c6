import { chromium, selectors, type Browser, type Page } from 'playwright-core'

/** What keeps Debian's Chromium quiet and offline. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A browser; with scroll bars that take room, as on most desktops, where `bars` says so. */
export function launch(bars: 'hidden' | 'shown' = 'hidden'): Promise<Browser> {
  selectors.setTestIdAttribute('data-test')
  const ignoreDefaultArgs = bars === 'shown' ? ['--hide-scrollbars'] : []
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
  return chromium.launch({ executablePath, args: FLAGS, ignoreDefaultArgs })
}

export interface View {
  readonly width?: number
  readonly theme?: 'light' | 'dark'
  /** `reduce`: nothing fades in, so that what is there is there as it stays. @default 'no-preference' */
  readonly motion?: 'reduce' | 'no-preference'
}

/** How long a page may take for what it does in the end, in ms: a bound for what hangs, not a measure. */
export const PATIENCE = 60_000

/** A page, and everything that went wrong on it: console errors, warnings of Vue, uncaught exceptions. */
export interface WatchedPage {
  readonly page: Page
  readonly complaints: readonly string[]
  /** The WebSockets that it opened, by their URL. */
  readonly sockets: readonly string[]
}

/** Opens the demo and begins to watch it. */
export async function open(
  browser: Browser,
  url: string,
  { width = 1280, theme = 'light', motion = 'no-preference' }: View = {},
): Promise<WatchedPage> {
  const viewport = { width, height: 900 }
  const page = await browser.newPage({ viewport, colorScheme: theme, reducedMotion: motion })
  page.setDefaultTimeout(PATIENCE)
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  const sockets: string[] = []
  page.on('websocket', (socket) => sockets.push(socket.url()))
  await page.addInitScript(keepDiary)
  await page.goto(url)
  return { page, complaints, sockets }
}

/** What stood on the screen, in the order in which it appeared. */
export interface Diary {
  /** The connection's words. */
  readonly connection: string[]
  /** How many of a payment's steps were reached. */
  readonly steps: number[]
  /** When the live region spoke, ms since the navigation began. */
  readonly spoken: number[]
  /** When the first live figure had been painted, ms since the navigation began. */
  painted?: number
}

declare global {
  interface Window {
    diary: Diary
  }
}

export const readDiary = (page: Page): Promise<Diary> => page.evaluate(() => window.diary)

/** Runs in the page: short-lived words are written down when they appear, so that no test has to be quick. */
function keepDiary(): void {
  const diary: Diary = { connection: [], steps: [], spoken: [] }
  let sentence = ''
  window.diary = diary
  const add = <T>(list: T[], entry: T | undefined): void => {
    if (entry !== undefined && list.at(-1) !== entry) list.push(entry)
  }
  const look = (): void => {
    add(diary.connection, document.querySelector('[data-test=connection]')?.textContent.trim().split(',')[0])
    const steps = document.querySelector('[data-test=payment-1] [data-test-reached]')
    add(diary.steps, steps === null ? undefined : Number(steps.getAttribute('data-test-reached')))
    const status = document.querySelector('[role=status]')?.textContent ?? ''
    if (status !== sentence) diary.spoken.push(performance.now())
    sentence = status
    const score = document.querySelector('[data-test=daa-score]')?.textContent ?? ''
    if (diary.painted === undefined && /\d/.test(score)) {
      // The first frame after the change paints it; in the second it has been seen.
      requestAnimationFrame(() => requestAnimationFrame(() => (diary.painted ??= performance.now())))
    }
  }
  new MutationObserver(look).observe(document, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
  })
}
