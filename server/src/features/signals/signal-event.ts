import type { Occurrence } from './occurrence.ts';
import type { RecordingRule } from './recording-rule.ts';

// Every signal is also an event of the stream Signals, so that it can be searched and counted in KQL.

const firstOf = (entities: readonly { type: string; value: string }[], ...types: string[]): string =>
  entities.find((entity) => types.includes(entity.type))?.value ?? '';

/** The row of the events table that a raised signal makes. `IngestedTime` is set when it is sent. */
export function signalEvent(
  rule: RecordingRule,
  signalId: string,
  raisedBy: Occurrence,
  eventUid: string,
): Record<string, unknown> {
  const { finding } = raisedBy;
  const both = [...finding.suspects, ...finding.targets];
  const ext = {
    WorkbookId: rule.workbookId,
    WorkbookName: rule.workbookName,
    WorkbookVersion: rule.version,
    SubTechnique: rule.signal.sub_technique,
    SourceStream: raisedBy.stream || rule.stream,
    Suspects: finding.suspects,
    Targets: finding.targets,
    Tags: rule.signal.tags,
  };
  return {
    TimeGenerated: new Date(raisedBy.lastMs).toISOString(),
    EventUid: eventUid,
    Stream: 'Signals',
    Scope: rule.scopeId,
    ParseStatus: 'PAD',
    SourceName: 'tyrian-detections',
    SourceType: 'tyrian-signal',
    EventVendor: 'Tyrian',
    EventProduct: 'Tyrian',
    EventType: 'SignalRaised',
    Message: finding.name,
    DvcHostname: firstOf(finding.targets, 'host') || firstOf(finding.suspects, 'host'),
    ActorUsername: firstOf(finding.suspects, 'user'),
    TargetUsername: firstOf(finding.targets, 'user'),
    SrcIpAddr: firstOf(finding.suspects, 'ip'),
    DstIpAddr: firstOf(finding.targets, 'ip'),
    ProcessName: firstOf(both, 'process'),
    SignalId: signalId,
    DetectionName: finding.name,
    DetectionTactic: rule.signal.tactic,
    DetectionTechnique: rule.signal.sub_technique || rule.signal.technique,
    DetectionScore: rule.signal.score,
    DetectionConfidence: rule.signal.confidence,
    Ext: ext,
    Raw: JSON.stringify({ signal_id: signalId, name: finding.name, ...ext }),
  };
}
