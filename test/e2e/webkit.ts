import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { freePort } from '../free-port.js'

/** The browser of Debian's WebKitGTK, which WebDriver controls, and what shows it. */
const MINI_BROWSER = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser'
const PROGRAMS = ['/usr/bin/WebKitWebDriver', '/usr/bin/Xvfb', MINI_BROWSER]

export const HAS_WEBKIT = PROGRAMS.every((path) => existsSync(path))

/** A session of WebKitGTK. A tab is its WebDriver handle. */
export interface WebKit {
  /** Opens a tab, as far as its load. */
  open(url: string): Promise<string>
  /** Evaluates an expression, whose value crosses as JSON, in a tab. */
  evaluate<T>(tab: string, expression: string): Promise<T>
  closeTab(tab: string): Promise<void>
  close(): Promise<void>
}

type Command = <T>(method: 'POST' | 'DELETE', path: string, body?: object) => Promise<T>

export async function launchWebKit(): Promise<WebKit> {
  const screen = spawn('Xvfb', ['-displayfd', '3', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const [display] = await once(createInterface(screen.stdio[3] as Readable), 'line')
  const port = await freePort()
  const env = { ...process.env, DISPLAY: `:${display}` }
  const driver = spawn('WebKitWebDriver', [`--port=${port}`], { stdio: 'ignore', env })
  const end = (): void => {
    driver.kill()
    screen.kill()
  }
  try {
    const command = await connect(`http://127.0.0.1:${port}/session`)
    return toWebKit(command, end)
  } catch (error) {
    end()
    throw error
  }
}

/** Starts a session, once the driver listens. */
async function connect(url: string): Promise<Command> {
  const command: Command = async (method, path, body) => {
    const response = await fetch(url + path, { method, body: body === undefined ? null : JSON.stringify(body) })
    const { value } = await response.json()
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(value)}`)
    return value
  }
  const options = { binary: MINI_BROWSER, args: ['--automation'] }
  const capabilities = { alwaysMatch: { browserName: 'MiniBrowser', 'webkitgtk:browserOptions': options } }
  for (;;) {
    try {
      const { sessionId } = await command<{ sessionId: string }>('POST', '', { capabilities })
      return (method, path, body) => command(method, `/${sessionId}${path}`, body)
    } catch (error) {
      if (!(error instanceof TypeError)) throw error // nothing listens yet
    }
  }
}

/** A session has one current tab: commands for others wait. */
function toWebKit(command: Command, end: () => void): WebKit {
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }
  const select = (tab: string): Promise<unknown> => command('POST', '/window', { handle: tab })
  return {
    open: (url) =>
      inTurn(async () => {
        const { handle } = await command<{ handle: string }>('POST', '/window/new', { type: 'tab' })
        await select(handle)
        await command('POST', '/url', { url })
        const isLoaded = `return document.readyState === 'complete' && location.href === ${JSON.stringify(url)}`
        // the command may end before the page of a new tab is there
        while (!(await command<boolean>('POST', '/execute/sync', { script: isLoaded, args: [] })));
        return handle
      }),
    evaluate: (tab, expression) =>
      inTurn(async () => {
        await select(tab)
        return command('POST', '/execute/sync', { script: `return ${expression}`, args: [] })
      }),
    closeTab: (tab) =>
      inTurn(async () => {
        await select(tab)
        const [left] = await command<readonly string[]>('DELETE', '/window')
        if (left !== undefined) await select(left) // a new tab is opened from a current one
      }),
    close: async () => {
      await inTurn(() => command('DELETE', '')).finally(end)
    },
  }
}
