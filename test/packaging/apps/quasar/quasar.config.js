import { defineConfig } from '#q-app'

export default defineConfig(() => ({ boot: ['chain'] }))
