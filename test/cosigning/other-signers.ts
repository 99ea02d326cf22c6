import { secp256k1 } from '@noble/curves/secp256k1.js'
import { addressOfPublicKey } from '../../src/model/address.js'
import { fromHex, toHex } from '../../src/model/hex.js'
import { readBundle } from '../../src/model/pskb/read-bundle.js'
import { psktTransaction, type Pskt } from '../../src/model/pskb/records.js'
import { transactionId } from '../../src/model/transaction-id.js'
import { openCosigners, openMemoryNetwork, payment, toText, type CosigningHarness } from './cosigners.js'
import { openLines } from './line-process.js'

const RECIPIENT = addressOfPublicKey('3c72addb4fdf09af94f0c94d7fe92a386a7e70cf8a1d85916386bb2535c7b1b1', 'kaspasim')

interface SignerReply {
  readonly id: string
  readonly signatures: readonly string[]
}

/** Who signs with other software, who with this library, and whether the other one signs first. */
interface Signing {
  readonly other: number
  readonly own: number
  readonly isOtherFirst: boolean
}

const SIGNINGS: readonly Signing[] = [0, 1, 2].flatMap((other) =>
  [0, 1, 2]
    .filter((own) => own !== other)
    .flatMap((own) => [true, false].map((isOtherFirst) => ({ other, own, isOtherFirst }))),
)

/**
 * Pays from 2-of-3 on a network in memory, one signature by other software, in its program of one JSON object a line:
 * every pair of cosigners, in both orders, with one input and with two. Resolves to how many payments were made, and
 * how many of them the network has accepted; rejects where one fails.
 */
export async function payWithOther(
  command: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ readonly paid: number; readonly accepted: number }> {
  const harness = await openCosigners({ threshold: 2, count: 3 }, 3 * SIGNINGS.length, openMemoryNetwork)
  const other = openLines<SignerReply>(command, env)
  const paid: string[] = []
  try {
    for (const signing of SIGNINGS)
      for (const inputs of [1, 2])
        paid.push(await pay(harness, harness.funds(inputs), signing, (request) => other.call(request)))
    await harness.mine()
    const received = await harness.cosigners[0]!.engine.rpc.getUtxosByAddresses([RECIPIENT])
    const accepted = new Set(received.map(({ outpoint }) => outpoint.transactionId))
    return { paid: paid.length, accepted: paid.filter((id) => accepted.has(id)).length }
  } finally {
    other.close()
    await harness.close()
  }
}

async function pay(
  harness: CosigningHarness,
  entries: ReturnType<CosigningHarness['funds']>,
  { other, own, isOtherFirst }: Signing,
  call: (request: object) => Promise<SignerReply>,
): Promise<string> {
  const signer = harness.cosigners[own]!
  const signOther = async (text: string): Promise<string> => {
    const pskt = readBundle(text)[0]!
    const privateKey = harness.cosigners[other]!.privateKeys[0]!
    const { id, signatures } = await call({ transaction: toRequest(pskt), privateKey })
    if (id !== toRequest(pskt).id) throw new Error(`The other cosigner computes the id ${id}`)
    return toText(withSignatures(pskt, toHex(secp256k1.getPublicKey(fromHex(privateKey))), signatures))
  }
  const signOwn = async (text: string): Promise<string> => {
    const proposal = await signer.open(text, { reserveFor: 0 })
    return (await proposal.signAsync({ privateKeys: signer.privateKeys })).toPskb()
  }
  let text = toText(payment(harness, entries, RECIPIENT))
  for (const sign of isOtherFirst ? [signOther, signOwn] : [signOwn, signOther]) text = await sign(text)
  const complete = await signer.open(text)
  if (complete.rejectedSignatures.length > 0) throw new Error('A signature of the other cosigner is not valid')
  const [pending] = await complete.finalize()
  return pending!.submit()
}

/** The text of a bundle has 64 bytes of a signature; other software writes a push, 64 bytes and the type. */
function withSignatures(pskt: Pskt, publicKey: string, signatures: readonly string[]): Pskt {
  const inputs = pskt.inputs.map((input, at) => {
    const [, signature] = /^41([\da-f]{128})01$/.exec(signatures[at] ?? '') ?? []
    if (signature === undefined) throw new Error(`No signature of 66 bytes: ${signatures[at] ?? 'none'}`)
    const partialSigs = new Map([...input.partialSigs, [publicKey, { scheme: 'schnorr' as const, signature }]])
    return { ...input, partialSigs }
  })
  return { ...pskt, inputs }
}

/** A transaction in plain JSON, from which each program builds what its package reads. */
function toRequest(pskt: Pskt) {
  const { inputs, outputs, ...transaction } = psktTransaction(pskt)
  return {
    id: transactionId(psktTransaction(pskt)),
    version: transaction.version,
    lockTime: String(transaction.lockTime),
    subnetworkId: transaction.subnetworkId,
    gas: String(transaction.gas),
    payload: transaction.payload,
    inputs: inputs.map(({ previousOutpoint, sequence, sigOpCount }, at) => ({
      outpoint: previousOutpoint,
      sequence: String(sequence),
      sigOpCount,
      utxo: toUtxo(pskt.inputs[at]!),
    })),
    outputs: outputs.map(({ value, scriptPublicKey }) => ({ value: String(value), scriptPublicKey })),
  }
}

function toUtxo({ utxoEntry }: Pskt['inputs'][number]) {
  if (utxoEntry === null) throw new Error('An input without its output')
  const { amount, scriptPublicKey, blockDaaScore, isCoinbase } = utxoEntry
  return { amount: String(amount), scriptPublicKey, blockDaaScore: String(blockDaaScore), isCoinbase }
}
