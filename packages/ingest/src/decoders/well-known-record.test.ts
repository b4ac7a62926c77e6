import { describe, expect, it } from 'vitest';
import { decodeRecord } from '../decode-event.ts';

const NOW = Date.parse('2026-01-02T00:00:00Z');

describe('records that name their table', () => {
  it('puts what has a column there and the rest below Ext, under the documented names', () => {
    const event = decodeRecord(
      {
        time: '2026-01-01T10:00:00Z',
        category: 'AdvancedHunting-DeviceProcessEvents',
        properties: {
          DeviceName: 'pc1',
          FolderPath: 'C:\\Windows\\System32\\cmd.exe',
          processcommandline: 'cmd /c whoami',
          ActionType: 'ProcessCreated',
          AccountUpn: 'amy@example.com',
        },
      },
      NOW,
    );
    expect(event).toMatchObject({
      stream: 'ProcessEvent',
      sourceType: 'table:DeviceProcessEvents',
      time: Date.parse('2026-01-01T10:00:00Z'),
      columns: {
        DvcHostname: 'pc1',
        ProcessName: 'C:\\Windows\\System32\\cmd.exe',
        CommandLine: 'cmd /c whoami',
        EventType: 'ProcessCreated',
      },
      ext: { AccountUpn: 'amy@example.com', ActionType: 'ProcessCreated' },
    });
  });

  it('knows rows of Log Analytics, custom logs and the audit log of Office 365', () => {
    const typed = decodeRecord(
      { Type: 'AuditLogs', OperationName: 'Add user', TimeGenerated: '2026-01-01T00:00:00Z' },
      NOW,
    );
    expect([typed.sourceType, typed.stream, typed.columns.Operation]).toEqual([
      'table:AuditLogs',
      'AuditEvent',
      'Add user',
    ]);
    expect(decodeRecord({ Type: 'DuoLogs_CL', result_s: 'deny' }, NOW)).toMatchObject({
      sourceType: 'table:DuoLogs_CL',
      ext: { result_s: 'deny' },
    });
    const office = {
      Operation: 'New-InboxRule',
      Workload: 'Exchange',
      RecordType: 1,
      UserId: 'amy',
      ClientIP: '192.0.2.7',
    };
    expect(decodeRecord(office, NOW)).toMatchObject({
      sourceType: 'table:OfficeActivity',
      columns: { Operation: 'New-InboxRule', ActorUsername: 'amy', SrcIpAddr: '192.0.2.7' },
      ext: { Workload: 'Exchange' },
    });
  });
});
