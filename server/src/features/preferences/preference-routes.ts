import {
  deleteSavedView,
  listSavedViews,
  readPreferences,
  savePreferences,
  saveView,
} from '@tyrian/contract';
import type { FastifyInstance } from 'fastify';
import { bindEndpoint } from '../../platform/http/bind-endpoint.ts';
import type { PreferenceService } from './preference-service.ts';

export function registerPreferenceRoutes(app: FastifyInstance, preferences: PreferenceService): void {
  bindEndpoint(app, readPreferences, ({ caller }) => preferences.read(caller));
  bindEndpoint(app, savePreferences, ({ caller, input }) => preferences.save(caller, input));
  bindEndpoint(app, listSavedViews, ({ caller, input }) => preferences.views(caller, input));
  bindEndpoint(app, saveView, ({ caller, input }) => preferences.saveView(caller, input));
  bindEndpoint(app, deleteSavedView, async ({ caller, input }) => {
    await preferences.deleteView(caller, input.view_id);
    return { view_id: input.view_id };
  });
}
