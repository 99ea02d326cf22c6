/** A signature in a signature script: a push of 65 bytes, the signature, its type. */
const SIGNATURE = /41([0-9a-f]{128})([0-9a-f]{2})/y

export interface ScriptSignature {
  /** 64 bytes, hex. */
  readonly signature: string
  readonly type: number
}

/** The signatures at the beginning of a final signature script. */
export function signaturesOfFinalScript(script: string | null): readonly ScriptSignature[] {
  const signatures: ScriptSignature[] = []
  if (script === null) return signatures
  SIGNATURE.lastIndex = 0
  for (let match = SIGNATURE.exec(script); match !== null; match = SIGNATURE.exec(script)) {
    const [, signature = '', type = ''] = match
    signatures.push({ signature, type: parseInt(type, 16) })
  }
  return signatures
}

/** The types of these signatures. */
export const typesOfFinalScript = (script: string | null): readonly number[] =>
  signaturesOfFinalScript(script).map(({ type }) => type)

/** The signature script that spends a redeem script: the signatures in the order of its keys, then one push of it. */
export const toFinalScript = (signatures: readonly string[], redeemScript: string): string =>
  [...signatures.map(toSignaturePush), push(redeemScript)].join('')

/** SIGHASH_ALL. */
export const toSignaturePush = (signature: string): string => `41${signature}01`

/** The shortest push of up to 65,535 bytes, little-endian. */
function push(hex: string): string {
  const length = hex.length / 2
  if (length <= 75) return byte(length) + hex
  if (length <= 255) return `4c${byte(length)}${hex}`
  return `4d${byte(length & 255)}${byte(length >> 8)}${hex}`
}

const byte = (value: number): string => value.toString(16).padStart(2, '0')
