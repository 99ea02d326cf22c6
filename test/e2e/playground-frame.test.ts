import { resolve } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import type { Plugin } from 'vite'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { singleFile } from '../../docs/.vitepress/plugins/single-file.js'
import { servePage, type BuiltPage } from '../setup/built-page.js'
import { serveForeign } from '../site/foreign-page.js'
import { launch } from './browser.js'

const OPEN_FRAME = resolve(import.meta.dirname, '../../docs/.vitepress/theme/playground/open-frame.ts')

/** A page that opens the playground's frame, runs a program in it and lists what it takes from it. */
const CODE = `
  import { openFrame } from ${JSON.stringify(OPEN_FRAME)}
  const lines = []
  const run = (code) => {
    const onMessage = (message) => (message.type === 'ready' ? frame.send({ type: 'run', code, css: '' }) : lines.push(message.text))
    const frame = openFrame(document.body, { onMessage, onLeave: () => lines.push('left') })
  }
  Object.assign(globalThis, { run, lines })
`

/** The frame's script is playground-frame.ts in place of the one with the whole library. */
const smallFrame: Plugin = {
  name: 'small-frame',
  enforce: 'pre',
  resolveId: (id) => (id === './frame/frame.js' ? resolve(import.meta.dirname, 'playground-frame.ts') : null),
}

let browser: Browser
let built: BuiltPage
let page: Page

beforeAll(async () => {
  const policy = { 'content-security-policy': "frame-src 'none'" } // of the site, for the frame's own navigation
  ;[browser, built] = await Promise.all([launch(), servePage(CODE, policy, {}, [smallFrame, singleFile({})])])
})
afterAll(async () => {
  await browser.close()
  built.close()
})
beforeEach(async () => {
  page = await browser.newPage()
  await page.goto(built.url)
  await expect.poll(() => page.evaluate('typeof run')).toBe('function')
})
afterEach(() => page.close())

const run = (program: string): Promise<unknown> => page.evaluate(`run(${JSON.stringify(program)})`)
const lines = (): Promise<readonly string[]> => page.evaluate('lines')

describe('P3: a program in the frame of the playground', () => {
  it.each<[string, (url: string) => string]>([
    ['by script', (url) => `location.href = '${url}'`],
    ['by a link', (url) => `document.body.innerHTML = '<a href="${url}">x</a>'; document.querySelector('a').click()`],
    ['by a refresh', (url) => `document.head.innerHTML = '<meta http-equiv="refresh" content="0;url=${url}">'`],
  ])('that goes to another page is ended, and the page is neither requested nor believed: %s', async (_, program) => {
    const foreign = await serveForeign()
    await run(`console.log('runs')\n${program(foreign.url)}`)
    await expect.poll(lines).toEqual(['runs', 'left'])
    expect(await page.locator('iframe').count()).toBe(0)
    expect(foreign.requests).toEqual([])
  })

  it('is not believed without the mark of the run, which it cannot find', async () => {
    await run(`
      const line = { type: 'line', level: 'log', text: 'forged' }
      for (const message of [line, { run: '', message: line }, null]) parent.postMessage(message, '*')
      const marks = [document.documentElement.outerHTML, ...[...document.querySelectorAll('*')].map(({ nonce, dataset }) => [nonce, dataset.run])]
      console.log('marks', /data-run|nonce-|[0-9a-f]{8}-[0-9a-f]{4}/.test(marks.join()))
    `)
    await expect.poll(lines).toEqual(['marks false']) // messages arrive in order
  })

  it('has no WebRTC, also in a frame of its own, and neither page, storage nor requests', async () => {
    await run(`
      const attempt = async (name, work) => {
        try { await work(); console.log(name, 'allowed') } catch { console.log(name, 'denied') }
      }
      await attempt('page', () => parent.document.title)
      await attempt('storage', () => localStorage.length)
      await attempt('request', () => fetch(${JSON.stringify(built.url)}))
      console.log(typeof RTCPeerConnection, typeof webkitRTCPeerConnection, typeof RTCDataChannel)
      const code = "parent.postMessage('inner ' + typeof RTCPeerConnection, '*')"
      const inner = Object.assign(document.createElement('iframe'), { srcdoc: '<script>' + code + '<\\/script>' })
      addEventListener('message', ({ data }) => typeof data === 'string' && console.log(data))
      const loaded = new Promise((done) => (inner.onload = done))
      document.body.append(inner)
      try { console.log('reached', typeof inner.contentWindow.RTCPeerConnection) } catch { console.log('not reached') }
      await loaded
      postMessage('end', '*')
    `)
    await expect.poll(lines).toContain('end')
    const found = await lines()
    expect(found.slice(0, 4)).toEqual([
      'page denied',
      'storage denied',
      'request denied',
      'undefined undefined undefined',
    ])
    expect(found.filter((line) => /^(inner|reached) function/.test(line))).toEqual([])
  })
})
