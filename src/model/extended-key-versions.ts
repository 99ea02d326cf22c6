/** Version bytes of an extended public key by its first four letters: mainnet's, the test networks', and Bitcoin's. */
export const EXTENDED_KEY_VERSIONS = { kpub: 0x038f332e, ktub: 0x0390a241, xpub: 0x0488b21e } as const
