/** A key and its address on one network. Holds a private key: keep it out of refs, logs and storage. */
export interface KeypairInfo {
  /** 32 bytes, hex. */
  readonly privateKeyHex: string
  /** Compressed, 33 bytes, hex. */
  readonly publicKeyHex: string
  readonly address: string
}

/** A BIP-39 mnemonic. */
export interface MnemonicInfo {
  /** English words separated by single spaces. */
  readonly phrase: string
  readonly wordCount: 12 | 24
}

/** One public key of an HD wallet. */
export interface DerivedKey {
  /** The position in its chain, from 0. */
  readonly index: number
  /** Compressed, 33 bytes, hex. */
  readonly publicKeyHex: string
  readonly address: string
}

/** A signed message with the data for its verification. */
export interface SignMessageResult {
  readonly message: string
  /** BIP-340, 64 bytes, hex. */
  readonly signature: string
  /** Compressed, 33 bytes, hex. */
  readonly publicKeyHex: string
}
