import { createCosigning } from '../../src/cosigning/index.js'
import type { ChainEngine } from '../../src/engine/engine.js'
import { writeBundle } from '../../src/model/pskb/write-bundle.js'
import { fixtures } from '../../src/testing/fixtures/fixtures.js'
import { toPskt } from '../cosigning/texts.js'
import vectors from '../fixtures/cosigning/multisig-derivation.json' with { type: 'json' }
import { ADDRESS, KEY, MNEMONIC, PASSPHRASE } from './canary.js'
import type { Session } from './session.js'

const KAS = 100_000_000n
const PATH = { cosigner: 0, change: false, index: 0 }

/** Opens accounts and texts of several signers, and signs, correctly and incorrectly. */
export async function cosign({ attempt }: Pick<Session, 'attempt'>, engine: ChainEngine): Promise<void> {
  const { accountOf, accountFromDescriptor, fromPskb } = createCosigning({ engine })
  const own = engine.keys.deriveExtendedPublicKey(MNEMONIC, 'simnet', { purpose: 45, passphrase: PASSPHRASE })
  const keys = [own, ...vectors.kpubs.slice(0, 2)]
  for (const wrong of [MNEMONIC, KEY, [MNEMONIC]] as unknown[])
    await attempt(() => accountOf({ threshold: 2, keys: [wrong as string, ...keys] }))
  await attempt(() => accountOf({ threshold: 2, keys, own: MNEMONIC }))
  await attempt(() => accountFromDescriptor(`multi_hd45(2,${MNEMONIC},${KEY})`))
  const account = await accountOf({ threshold: 2, keys, own })

  const entry = fixtures.utxo({
    outpoint: { transactionId: 'ab'.repeat(32), index: 0 },
    amount: 10n * KAS,
    scriptPublicKey: account.scriptPublicKey(PATH),
  })
  const pskt = toPskt(account, { entries: [entry], outputs: [{ address: ADDRESS, amount: 9n * KAS + KAS / 2n }] })
  const text = writeBundle([pskt])
  const named = (json: string): string => `PSKB${Buffer.from(json).toString('hex')}`
  const hostile = [MNEMONIC, KEY, `PSKB${KEY}`, named(`[{"${MNEMONIC}":1}]`), named(`[{"global":"${MNEMONIC}"}]`)]
  for (const wrong of hostile) await attempt(() => fromPskb(wrong, { account, offline: true }))
  const proposal = await fromPskb(text, { account, offline: true })
  const misused = [
    { mnemonic: MNEMONIC },
    { mnemonic: MNEMONIC.split(' ').reverse().join(' '), passphrase: PASSPHRASE },
    { mnemonic: KEY },
    { privateKeys: [KEY] },
    { privateKeys: [MNEMONIC] },
    { signer: { sign: () => Promise.resolve([KEY]) } },
  ]
  for (const wrong of misused) await attempt(() => proposal.signAsync(wrong as never))
  const signed = await attempt(() => proposal.signAsync({ mnemonic: MNEMONIC, passphrase: PASSPHRASE }))
  if (signed?.signers.find(({ isOwn }) => isOwn)?.hasSigned !== 'all') throw new Error('The proposal is not signed')
  await attempt(() => [signed.toPskb(), signed.review, signed.combine(proposal)])
  for (const wrong of hostile) await attempt(() => signed.combine(wrong))
  await attempt(() => signed.finalize())
}
