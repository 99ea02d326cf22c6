import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeAddress, encodeAddress } from '../../src/model/address.js'
import { ADDRESS, OTHER_ADDRESS, WALLETS, createScene, inFakeTime, pass, type Scene } from './scene.js'

inFakeTime()

type Kind = keyof typeof WALLETS

const open = (kind: Kind) => {
  const scene: Scene = createScene()
  const { id, create } = WALLETS[kind]
  const wallet = create({ page: scene.page, prompts: 'wait' })
  wallet.install()
  return { ...scene, wallet, id, session: scene.visit() }
}

type Opened = ReturnType<typeof open>

/** Whatever becomes of an operation: here only the state it leaves behind is looked at. */
const ask = (operation: Promise<unknown>): void => void operation.catch(() => undefined)

/** What users do, in the page and in the wallet. */
const DEEDS: Readonly<Record<string, (opened: Opened) => void>> = {
  connect: ({ session, id }) => ask(session.connect({ id, name: id, icon: null, rdns: null })),
  disconnect: ({ session }) => ask(session.disconnect()),
  pay: ({ session }) => ask(session.sendKaspa(OTHER_ADDRESS, 50_000_000n, { priorityFee: 1n })),
  sign: ({ session }) => ask(session.signMessage('x')),
  'switch to testnet': ({ session }) => ask(session.switchNetwork('testnet-10')),
  'switch to mainnet': ({ session }) => ask(session.switchNetwork('mainnet')),
  approve: ({ wallet }) => wallet.prompts.open.at(-1)?.answer('approve'),
  reject: ({ wallet }) => wallet.prompts.open.at(-1)?.answer('reject'),
  'choose another account': ({ wallet }) => wallet.selectAccount(1),
  'choose the first account': ({ wallet }) => wallet.selectAccount(0),
  lock: ({ wallet }) => wallet.lock(),
  unlock: ({ wallet }) => wallet.unlock(),
  'switch in the wallet': ({ wallet }) => wallet.switchNetwork('testnet-10'),
  'forget the site': ({ wallet }) => wallet.forgetSite(),
  'come back to the page': ({ page }) => void page.dispatchEvent(new Event('focus')),
}

interface Step {
  readonly deed: string
  readonly ms: number
}

const steps = fc.array(
  fc.record({ deed: fc.constantFrom(...Object.keys(DEEDS)), ms: fc.constantFrom(0, 1, 20, 400) }),
  { maxLength: 25 },
)

/** Has everything done, then answers every window, lets all calm down, and looks at the page once more. */
async function live(opened: Opened, script: readonly Step[]): Promise<void> {
  for (const { deed, ms } of script) {
    DEEDS[deed]?.(opened)
    await pass(ms)
  }
  opened.wallet.prompts.answerWith('reject')
  while (opened.wallet.prompts.open.length > 0) opened.wallet.prompts.open[0]?.answer('reject')
  await pass(10_000)
  opened.page.dispatchEvent(new Event('focus'))
  await pass(10_000)
}

/** Whether the wallet shows its selected account to this site. Kastle lets a site in to one account at a time, locked or not. */
function isShown({ wallet: { state } }: Opened, kind: Kind): boolean {
  if (kind === 'walletB') return state.permissions.includes(`${state.account}@localhost`)
  return state.status === 'unlocked' && state.permissions.includes('http://localhost')
}

function addressOf({ wallet: { state } }: Opened): string {
  const { version, payload } = decodeAddress(state.account === 0 ? ADDRESS : OTHER_ADDRESS)
  return encodeAddress(state.network === 'mainnet' ? 'kaspa' : 'kaspatest', version, payload)
}

describe.each(Object.keys(WALLETS) as Kind[])('whatever users do with %s, in whatever order', (kind) => {
  it('what is shown in the end is what the wallet shows, it never heard a bigint, and it is let go of', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (script) => {
        const opened = open(kind)
        const { session, wallet } = opened
        await live(opened, script)
        const { status, address, network, pending } = session.state
        if (status !== 'disconnected') expect(status === 'connected').toBe(isShown(opened, kind))
        expect(address).toBe(status === 'connected' ? addressOf(opened) : null)
        expect(network).toBe(status === 'connected' ? wallet.state.network : null)
        expect(wallet.bigints).toEqual([])
        expect(pending === null || kind === 'walletA').toBe(true) // only KasWare loses a question for good
        session.dispose()
        expect(wallet.listeners).toBe(0)
      }),
      { numRuns: 40 },
    )
  })
})
