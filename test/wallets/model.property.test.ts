import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeAddress, encodeAddress } from '../../src/model/address.js'
import { ADDRESS, OTHER_ADDRESS, WALLETS, createHarness, useFakeTime, advance, type Harness } from './harness.js'
import { runs } from '../full.js'

useFakeTime()

type Kind = keyof typeof WALLETS

const open = (kind: Kind) => {
  const harness: Harness = createHarness()
  const { id, create } = WALLETS[kind]
  const wallet = create({ page: harness.page, prompts: 'wait' })
  wallet.install()
  return { ...harness, wallet, id, session: harness.openSession() }
}

type Opened = ReturnType<typeof open>

/** Ignores an operation's outcome; the test checks the resulting state. */
const ignoreOutcome = (operation: Promise<unknown>): void => void operation.catch(() => undefined)

/** The user's actions in the page and in the wallet. */
const ACTIONS: Readonly<Record<string, (opened: Opened) => void>> = {
  connect: ({ session, id }) => ignoreOutcome(session.connect({ id, name: id, icon: null, rdns: null })),
  disconnect: ({ session }) => ignoreOutcome(session.disconnect()),
  pay: ({ session }) => ignoreOutcome(session.sendKaspa(OTHER_ADDRESS, 50_000_000n, { priorityFee: 1n })),
  sign: ({ session }) => ignoreOutcome(session.signMessage('x')),
  'switch to testnet': ({ session }) => ignoreOutcome(session.switchNetwork('testnet-10')),
  'switch to mainnet': ({ session }) => ignoreOutcome(session.switchNetwork('mainnet')),
  approve: ({ wallet }) => wallet.prompts.open.at(-1)?.respond('approve'),
  reject: ({ wallet }) => wallet.prompts.open.at(-1)?.respond('reject'),
  'choose another account': ({ wallet }) => wallet.selectAccount(1),
  'choose the first account': ({ wallet }) => wallet.selectAccount(0),
  lock: ({ wallet }) => wallet.lock(),
  unlock: ({ wallet }) => wallet.unlock(),
  'switch in the wallet': ({ wallet }) => wallet.switchNetwork('testnet-10'),
  'revoke the permission': ({ wallet }) => wallet.forgetSite(),
  'focus the page': ({ page }) => void page.dispatchEvent(new Event('focus')),
}

interface Step {
  readonly action: string
  readonly ms: number
}

const steps = fc.array(
  fc.record({ action: fc.constantFrom(...Object.keys(ACTIONS)), ms: fc.constantFrom(0, 1, 20, 400) }),
  { maxLength: 25 },
)

/** Runs the actions, rejects open prompts, and refreshes after all timers have run. */
async function run(opened: Opened, script: readonly Step[]): Promise<void> {
  for (const { action, ms } of script) {
    ACTIONS[action]?.(opened)
    await advance(ms)
  }
  opened.wallet.prompts.respondWith('reject')
  while (opened.wallet.prompts.open.length > 0) opened.wallet.prompts.open[0]?.respond('reject')
  await advance(10_000)
  opened.page.dispatchEvent(new Event('focus'))
  await advance(10_000)
}

/** Whether the wallet exposes its selected account to this site. Kastle permits a site per account, locked or not. */
function isExposed({ wallet: { state } }: Opened, kind: Kind): boolean {
  if (kind === 'walletB') return state.permissions.includes(`${state.account}@localhost`)
  return state.status === 'unlocked' && state.permissions.includes('http://localhost')
}

function addressOf({ wallet: { state } }: Opened): string {
  const { version, payload } = decodeAddress(state.account === 0 ? ADDRESS : OTHER_ADDRESS)
  return encodeAddress(state.network === 'mainnet' ? 'kaspa' : 'kaspatest', version, payload)
}

describe.each(Object.keys(WALLETS) as Kind[])('any sequence of user actions with %s', (kind) => {
  it("ends with the wallet's own state, without bigints in calls and without leaked listeners", async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (script) => {
        const opened = open(kind)
        const { session, wallet } = opened
        await run(opened, script)
        const { status, address, network, pending } = session.state
        if (status !== 'disconnected') expect(status === 'connected').toBe(isExposed(opened, kind))
        expect(address).toBe(status === 'connected' ? addressOf(opened) : null)
        expect(network).toBe(status === 'connected' ? wallet.state.network : null)
        expect(wallet.bigints).toEqual([])
        expect(pending === null || kind === 'walletA').toBe(true) // only KasWare can leave a prompt pending forever
        session.dispose()
        expect(wallet.listeners).toBe(0)
      }),
      { numRuns: runs(40) },
    )
  })
})
