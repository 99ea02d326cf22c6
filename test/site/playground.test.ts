import type { FrameLocator, Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { violations } from '../e2e/axe.js'
import { contentWidth, serveSite, THEMES, WIDTHS } from './site.js'
import { serveForeign } from './foreign-page.js'

const site = serveSite()

/** The parts of the playground. */
interface Playground {
  readonly output: FrameLocator
  readonly lines: Locator
  readonly editor: Locator
  press(name: string): Promise<void>
  /** Replaces the program and runs it. */
  run(program: string): Promise<void>
}

function playgroundOf(page: Page): Playground {
  const editor = page.getByRole('textbox', { name: 'Code' })
  const press = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click()
  return {
    output: page.frameLocator('iframe[title=Output]'),
    lines: page.getByTestId('lines'),
    editor,
    press,
    async run(program) {
      await editor.fill(program)
      await press('Run')
    },
  }
}

describe.each(WIDTHS)('the playground at %i pixels', (width) => {
  it('runs a component on a network in the page, which faults change', async () => {
    const { page, problems } = await site.visit('/playground.html', width)
    const { output, press } = playgroundOf(page)
    await output.getByText(/1050 KAS, of which 0 unconfirmed/).waitFor()
    await press('Receive 5 KAS')
    await output.getByText(/1055 KAS/).waitFor()
    await press('Send 1 KAS')
    await output.getByText(/1053\.99\d* KAS/).waitFor()
    await press('Restart the node')
    await output.getByText('reconnecting').waitFor()
    await output.getByText('connected', { exact: true }).waitFor()
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme })
      expect(await violations(page), colorScheme).toEqual([])
      await page.screenshot({ path: `test-results/playground-${colorScheme}-${width}.png`, fullPage: true })
    }
    expect(await contentWidth(page)).toBeLessThanOrEqual(width)
    expect(problems).toEqual([])
    await page.close()
  })

  it('draws parallel blocks and a reorg', async () => {
    const { page, problems } = await site.visit('/playground.html', width)
    const { press } = playgroundOf(page)
    const dag = page.getByTestId('dag')
    await expect.poll(() => dag.locator('rect.chain').count()).toBeGreaterThan(5)
    await press('Mine 3 parallel blocks')
    await expect.poll(() => dag.locator('rect.merged').count()).toBeGreaterThan(1)
    await press('Reorg of 3 blocks')
    await expect.poll(() => dag.locator('rect.removed').count()).toBeGreaterThan(1)
    expect(await dag.getAttribute('aria-label')).toMatch(/, [1-9]\d* removed by a reorg/)
    expect(problems).toEqual([])
    await page.close()
  })
})

it('offers the example of every page, and those of RxJS', async () => {
  const { page, problems } = await site.visit('/playground.html#useBalance')
  const { output, lines } = playgroundOf(page)
  await output.getByText('1050 KAS').waitFor()
  await page.getByTestId('program').selectOption('RxJS, without a framework')
  await lines.getByText('connection: connected').waitFor()
  await lines.getByText('transactions so far: ').first().waitFor()
  await page.getByTestId('program').selectOption('Follow the chain')
  await lines
    .getByText(/^blue score \d+n? /)
    .first()
    .waitFor()
  expect(problems).toEqual([])
  await page.close()
})

it('keeps a program in the address, for another page', async () => {
  const { page } = await site.visit('/playground.html')
  const { run, output } = playgroundOf(page)
  await run(
    '<script setup lang="ts">\nconst amount: number = 41\n</script>\n<template><p>ä {{ amount + 1 }}</p></template>',
  )
  await output.getByText('ä 42').waitFor()
  await expect.poll(() => page.url()).toContain('#code=')
  const { pathname, hash } = new URL(page.url())
  const copy = await site.visit(pathname + hash)
  const shared = playgroundOf(copy.page)
  await shared.lines.getByText('press Run').waitFor()
  expect(await copy.page.locator('iframe').count()).toBe(0)
  await shared.press('Run')
  await shared.output.getByText('ä 42').waitFor()
  expect(copy.problems).toEqual([])
  await Promise.all([page.close(), copy.page.close()])
})

it('shows errors of a program: of its syntax, while it runs, and of its promises', async () => {
  const { page } = await site.visit('/playground.html')
  const { run, lines } = playgroundOf(page)
  for (const [program, line] of [
    ['<template>\n  <p>{{ amount + }}</p>\n</template>', 2],
    ['<script setup lang="ts">\nconst a = 1\n</script>\n\n<template>\n  <p>{{ a + }}</p>\n</template>', 6],
    ['<script setup lang="ts">\nconst a = 1\nconst b = = 2\n</script>\n<template><p /></template>', 3],
    ['<template>\n  <p>\n</template>', 2],
    ['const a = 1\n\nconst b: number = = 2', 3],
  ] as const) {
    await run(program)
    await lines
      .getByText(new RegExp(`SyntaxError: line ${line}: `))
      .first()
      .waitFor()
  }
  await run('throw new Error("while it runs")')
  await lines.getByText('Error: while it runs').waitFor()
  await run('void Promise.reject(new Error("of a promise"))')
  await lines.getByText('Error: of a promise').waitFor()
  await run('<script setup>\nthrow new Error("in setup")\n</script>\n<template><p /></template>')
  await lines.getByText('Error: in setup').waitFor()
  await run('import "unknown-package"')
  await lines.getByText(/unknown-package/).waitFor()
  await page.close()
})

it('gives a program no access to the page, and no request', async () => {
  const { page } = await site.visit('/playground.html')
  const { run, lines } = playgroundOf(page)
  const sent: string[] = []
  page.on('requestfinished', (request) => sent.push(request.url())) // what the policy forbids fails before it is sent
  await run(`
    const attempt = async (name: string, work: () => unknown) => {
      try { await work(); console.log(name, 'allowed') } catch { console.log(name, 'denied') }
    }
    await attempt('page', () => parent.document.title)
    await attempt('storage', () => localStorage.length)
    await attempt('request', () => fetch('${site.origin}/llms.txt'))
    await attempt('elsewhere', () => import('https://example.com/module.js'))
  `)
  for (const name of ['page', 'storage', 'request', 'elsewhere']) await lines.getByText(`${name} denied`).waitFor()
  expect(sent.filter((url) => !url.startsWith(site.origin) && !/^(data|blob):/.test(url))).toEqual([])
  await page.close()
})

it.each(['code=damaged', '%', '%E0%A4%A', 'constructor', '__proto__', 'toString'])(
  'P3: stays usable where the address ends in #%s',
  async (fragment) => {
    const { page } = await site.visit(`/playground.html#${fragment}`)
    const { output, lines } = playgroundOf(page)
    await lines.getByText('The program in the address is damaged.').waitFor()
    await output.getByText(/1050 KAS/).waitFor()
    await page.close()
  },
)

describe('P3: a program', () => {
  it.each<[string, (url: string) => string]>([
    ['by script', (url) => `location.href = '${url}'`],
    ['by a link', (url) => `document.body.innerHTML = '<a href="${url}">x</a>'; document.querySelector('a').click()`],
    ['by a refresh', (url) => `document.head.innerHTML = '<meta http-equiv="refresh" content="0;url=${url}">'`],
  ])('that goes to another page is ended, and the page is neither requested nor believed: %s', async (_, program) => {
    const foreign = await serveForeign()
    const { page } = await site.visit('/playground.html')
    const { run, lines } = playgroundOf(page)
    await run(`console.log('runs')\n${program(foreign.url)}`)
    await lines.getByText('went to another page').waitFor()
    expect(await page.locator('iframe').count()).toBe(0)
    expect(await lines.getByText('forged').count()).toBe(0)
    expect(foreign.requests).toEqual([])
    await page.close()
  })

  it('believes no message without the mark of the run, also of its own frame', async () => {
    const { page } = await site.visit('/playground.html')
    const { run, lines } = playgroundOf(page)
    await run(`
      const line = { type: 'line', level: 'log', text: 'forged' }
      for (const message of [line, { run: '', message: line }, null]) parent.postMessage(message, '*')
      const marks = [document.documentElement.outerHTML, ...[...document.querySelectorAll('*')].map(({ nonce, dataset }) => [nonce, dataset.run])]
      console.log('marks', /data-run|nonce-|[0-9a-f]{8}-[0-9a-f]{4}/.test(marks.join()))
    `)
    await lines.getByText('marks false').waitFor()
    expect(await lines.getByText('forged').count()).toBe(0)
    await page.close()
  })

  it('has no WebRTC, also in a frame of its own', async () => {
    const { page } = await site.visit('/playground.html')
    const { run, lines } = playgroundOf(page)
    await run(`
      const names = ['RTCPeerConnection', 'webkitRTCPeerConnection', 'RTCDataChannel']
      console.log('own', names.map((name) => typeof globalThis[name]).join())
      const code = "parent.postMessage('inner ' + typeof RTCPeerConnection, '*')"
      const url = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }))
      const scripts = ['<script>' + code, '<script src="' + url, '<script src="data:text/javascript,' + encodeURIComponent(code)]
      const frames = scripts.map((script, at) => Object.assign(document.createElement('iframe'), { srcdoc: script + (at === 0 ? '' : '">') + '<\\/script>' }))
      addEventListener('message', ({ data }) => typeof data === 'string' && console.log(data))
      const loaded = frames.map((frame) => new Promise((resolve) => (frame.onload = resolve)))
      document.body.append(...frames)
      for (const frame of frames) {
        try { console.log('reached', typeof frame.contentWindow.RTCPeerConnection) } catch { console.log('not reached') }
      }
      await Promise.all(loaded)
      setTimeout(() => console.log('end'), 100)
    `)
    await lines.getByText('end', { exact: true }).waitFor()
    await lines.getByText('own undefined,undefined,undefined').waitFor()
    expect(await lines.getByText(/^(inner|reached) function/).count()).toBe(0)
    await page.close()
  })
})
