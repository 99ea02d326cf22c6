import { loadCode } from '../../../loading/load-code.js'
import { addressVersionOf } from '../../../model/address.js'
import type { ScriptPublicKey } from '../../../model/utxo.js'
import type { EcdsaSigner } from './ecdsa.js'

/** The code of ECDSA signatures, where an input needs one. */
export async function loadEcdsa(scripts: readonly ScriptPublicKey[]): Promise<EcdsaSigner | undefined> {
  const isNeeded = scripts.some((script) => addressVersionOf(script) === 'PubKeyECDSA')
  return isNeeded ? (await loadCode(() => import('./ecdsa.js'))).signEcdsa : undefined
}
