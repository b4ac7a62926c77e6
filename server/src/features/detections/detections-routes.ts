import { nextRuns, previewDetection, ruleHealth, ruleLedger } from '@tyrian/contract';
import type { FastifyInstance } from 'fastify';
import { bindEndpoint } from '../../platform/http/bind-endpoint.ts';
import { INPUT_LIMITS } from '../../platform/http/input-limits.ts';
import type { DetectionsService } from './detections-service.ts';

/** Binds the calls about rules: health, ledger, preview, next runs. */
export function detectionRoutes(app: FastifyInstance, detections: DetectionsService): void {
  bindEndpoint(app, ruleHealth, ({ clusterId, input }) =>
    detections.health(clusterId, input.scope_id, input.IDs),
  );
  bindEndpoint(app, ruleLedger, ({ clusterId, input }) =>
    detections.ledger({ clusterId, scopeId: input.scope_id, workbookId: input.ID }, input),
  );
  bindEndpoint(
    app,
    previewDetection,
    ({ caller, clusterId, input, signal }) =>
      detections.preview(
        { clusterId, scopeId: input.scope_id, userId: caller.userId },
        input.properties,
        { from: input.start, to: input.end },
        signal,
      ),
    { bodyLimit: INPUT_LIMITS.workbookBodyBytes },
  );
  bindEndpoint(app, nextRuns, async ({ input }) => detections.nextRuns(input.schedule));
}
