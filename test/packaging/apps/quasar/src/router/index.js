import { defineRouter } from '#q-app'
import { createRouter, createWebHashHistory } from 'vue-router'

export default defineRouter(() =>
  createRouter({
    history: createWebHashHistory(),
    routes: [{ path: '/', component: () => import('../pages/PaymentPage.vue') }],
  }),
)
