import { shallowRef, watchEffect } from 'vue'

export type Theme = 'system' | 'light' | 'dark'

const KEY = 'vue-chain-demo-theme'
const isTheme = (value: unknown): value is Theme => value === 'light' || value === 'dark' || value === 'system'
const stored = localStorage.getItem(KEY)

/** The page's theme, persisted in localStorage. */
export const theme = shallowRef<Theme>(isTheme(stored) ? stored : 'system')

watchEffect(() => {
  document.documentElement.dataset.theme = theme.value
  localStorage.setItem(KEY, theme.value)
})
