import { describe, expect, it } from 'vitest'
import type { NotificationType } from '../../src/node/messages/records.js'
import { FULL } from '../full.js'
import { runChaos } from './chaos.js'
import type { Tamper } from './recording-platform.js'

/** Timeout of a test, ms. */
const TIMEOUT = 600_000

// The job `chaos` plays other seeds of as many faults, with the built library: two in `npm test`.
describe.runIf(FULL)('a client after thirty faults', { retry: 0 }, () => {
  it.each([
    { seed: 102, encoding: 'Borsh' },
    { seed: 103, encoding: 'SerdeJson' },
  ] as const)('has the expected state: seed $seed, $encoding', { timeout: TIMEOUT }, async (run) => {
    const report = await runChaos({ ...run, faults: 30 })
    expect(report).toMatchObject({ lost: [], doubled: [], hung: [] })
    expect(report.counts.triggered).toBeGreaterThan(10)
  })
})

/** Notifications with what a report says where they are lost, beside those of `npm test`. */
const MORE = [
  ['block-added', 'block '],
  ['virtual-daa-score-changed', 'DAA score'],
] as const

// Side by side: each test has its own network and mostly waits.
describe.concurrent('the report of a run', { retry: 0 }, () => {
  const without = (lost: NotificationType): Tamper => ({ delivers: ({ type }) => type !== lost })
  const play = (tamper: Tamper, faults = 0) => runChaos({ seed: 1, faults, tamper })

  it.each([['utxos-changed', 'the tracker'], ['virtual-chain-changed', 'accepted by'], ...(FULL ? MORE : [])] as const)(
    'lists dropped %s notifications',
    { timeout: TIMEOUT },
    async (type, line) => {
      const { lost } = await play(without(type))
      expect(lost.join('\n')).toContain(line)
    },
  )

  it('lists a payment that was sent twice', { timeout: TIMEOUT }, async () => {
    const isPayment: Tamper['sendCount'] = (request) =>
      request.kind === 'request' && request.method === 'submitTransaction' ? 2 : 1
    const { doubled, counts } = await play({ sendCount: isPayment }, 10)
    expect(counts.payments).toBeGreaterThan(0)
    expect(doubled.join('\n')).toContain('was sent 2 times')
  })

  it('lists a subscription that was not removed at the node', { timeout: TIMEOUT }, async () => {
    const keepsSubscriptions: Tamper['sendCount'] = (request) =>
      request.kind === 'request' && request.method === 'unsubscribe' ? 0 : 1
    const { hung } = await play({ sendCount: keepsSubscriptions })
    expect(hung.join('\n')).toContain('a subscription to utxos-changed')
  })
})
