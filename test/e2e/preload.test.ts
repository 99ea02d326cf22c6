import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { servePage } from '../setup/built-page.js'
import { launch } from './browser.js'
import { eachFile } from '../lifetimes.js'

const file = (path: string): string => JSON.stringify(resolve(import.meta.dirname, path))

const CODE = `
  import { createChainEngine } from ${file('../../src/engine/engine.ts')}
  import { light } from ${file('../../src/light/index.ts')}
  const engine = createChainEngine({ network: 'simnet', url: 'ws://127.0.0.1:1', sdk: light })
  const { transactions } = engine
  window.prepareKeys = () => engine.wasm.init()
`

const browser = eachFile(() => launch())

it('loads the code of payments when keys are ready, before the first payment', async () => {
  const built = await servePage(CODE, {}, { __VUE_CHAIN_WASM__: 'false' })
  const page = await browser.newPage()
  const isRequested = (): boolean => built.requested.some((url) => url.includes('open-transactions'))
  try {
    await page.goto(built.url)
    await page.waitForFunction('window.prepareKeys !== undefined')
    expect(isRequested()).toBe(false)
    await page.evaluate('prepareKeys()')
    await expect.poll(isRequested).toBe(true)
  } finally {
    await page.close()
    built.close()
  }
})
