import { describe, expect, it } from 'vitest'
import { addressOfPublicKey } from '../../src/model/address.js'
import { openCosigners, payment, toText, KAS, type OpenNetwork } from '../cosigning/cosigners.js'
import type { CrateReply } from '../cosigning/crate-differential.js'
import { describeHostileTexts } from '../cosigning/hostile-rows.js'
import { openLines } from '../cosigning/line-process.js'
import { describePayments } from '../cosigning/payment-rows.js'
import { describeRestarts } from '../cosigning/restart-rows.js'
import { indexedUtxos } from '../contract/node/support/indexed-utxos.js'
import { newAccount } from '../contract/node/support/payment.js'
import { PREFIX, startKaspad } from './kaspad.js'

/** Payments of several signers on a real node, and what naive cosigners lose there. */

/** A template is kept for a second. */
const untilNextTemplate = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1_100))

const openKaspad: OpenNetwork = async (address, count) => {
  const node = await startKaspad({ preallocated: { count, address, amount: 10n * KAS } })
  return {
    engineOptions: { network: 'simnet', url: node.url, heartbeat: false },
    mine: async () => {
      await untilNextTemplate()
      await node.mine(3, newAccount(PREFIX).address)
    },
    entries: () => indexedUtxos(node.client(), [address], count),
    close: () => node.close(),
  }
}

describePayments(
  [
    { threshold: 1, count: 2 },
    { threshold: 2, count: 3 },
    { threshold: 2, count: 3, ecdsa: true },
    { threshold: 3, count: 5 },
    { threshold: 3, count: 5, ecdsa: true },
    { threshold: 15, count: 15 },
    { threshold: 15, count: 15, ecdsa: true },
  ],
  openKaspad,
)
describeHostileTexts(openKaspad)
describeRestarts(openKaspad)

/** `COSIGNER`: the program of test/cosigning/crate, which `scripts/cosign-differential.mjs` builds. */
const PROGRAM = process.env.COSIGNER ?? ''
const RECIPIENT = addressOfPublicKey('3c72addb4fdf09af94f0c94d7fe92a386a7e70cf8a1d85916386bb2535c7b1b1', 'kaspasim')

describe.skipIf(PROGRAM === '').each([{ ecdsa: false }, { ecdsa: true }])('the crate, ECDSA $ecdsa', ({ ecdsa }) => {
  it.each(['first', 'last'])('signs %s, and the node accepts what is finalised here', async (order) => {
    const harness = await openCosigners({ threshold: 2, count: 3, ecdsa }, 2, openKaspad)
    const crate = openLines<CrateReply>([PROGRAM])
    const [own, other] = harness.cosigners
    const byCrate = async (text: string): Promise<string> => {
      const reply = await crate.call({ op: 'sign', text, key: other!.privateKeys[0], ecdsa })
      if (reply.error !== undefined) throw new Error(reply.error)
      return reply.text
    }
    const bySelf = async (text: string): Promise<string> => {
      const opened = await own!.open(text, { reserveFor: 0 })
      return (await opened.signAsync({ privateKeys: own!.privateKeys })).toPskb()
    }
    const text = (await own!.open(toText(payment(harness, harness.funds(2), RECIPIENT)), { reserveFor: 0 })).toPskb()
    const signed = order === 'first' ? await bySelf(await byCrate(text)) : await byCrate(await bySelf(text))
    const [pending] = await (await own!.open(signed)).finalize()
    const final = own!.cosigning.toPskb([pending!])
    expect(await crate.call({ op: 'read', text: final })).toEqual({ text: final, ids: [pending!.id] })
    expect(await pending!.submit()).toBe(pending!.id)
    crate.close()
    await harness.close()
  })
})
