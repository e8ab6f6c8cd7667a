"""Chinese in simplified characters: words of two and three characters, names, aspect particles."""

from __future__ import annotations

from crawler.sampleweb.languages.lexicon import (
    Column,
    LanguageData,
    compound,
    general,
    numerals,
    topical,
)

_NOUNS = """
音乐 画家 电影 戏剧 诗歌 小说 舞台 演员 歌曲 雕塑 摄影 舞蹈 旋律 剧院 作品 艺术 色彩 乐队 导演 画廊 |
市场 公司 合同 客户 银行 工厂 利润 价格 产品 经理 商店 税收 投资 股票 工资 贸易 品牌 广告 资金 债务 |
电脑 软件 网络 屏幕 程序 数据 密码 键盘 系统 文件 硬盘 网站 机器 芯片 代码 手机 信号 界面 用户 信息 |
医生 医院 病人 药物 疾病 心脏 骨骼 手术 症状 疫苗 营养 护士 血液 肌肉 诊所 健康 伤口 牙齿 皮肤 疗法 |
厨房 花园 窗户 地毯 家具 沙发 蔬菜 面包 茶杯 卧室 灯光 屋顶 被子 餐桌 阳台 门口 镜子 碗筷 米饭 院子 |
政府 新闻 记者 选举 法律 会议 总统 报纸 议员 危机 政策 改革 法院 社论 边境 军队 条约 调查 警察 证据 |
旅客 海岛 山谷 沙滩 酒店 地图 河流 森林 湖泊 港口 行李 火车 桥梁 村庄 车站 景色 路线 帐篷 小路 海岸 |
学校 老师 学生 课本 词典 考试 图书 问题 答案 语法 句子 教室 大学 论文 课程 知识 章节 文字 作业 笔记 |
科学 实验 行星 星系 细胞 分子 理论 气候 火山 昆虫 植物 金属 能源 公式 显微镜 卫星 地质 物种 磁场 温度 |
衣服 鞋子 礼物 项链 手表 香水 帽子 围巾 包裹 折扣 裙子 皮包 戒指 目录 布料 衬衫 口袋 样式 尺寸 货架 |
家庭 邻居 节日 传统 社区 宗教 寺庙 婚礼 祖先 居民 风俗 农民 儿童 老人 信仰 社会 民族 协会 慈善 故乡 |
球队 比赛 运动 教练 球员 冠军 奖牌 体育 跑道 游泳 裁判 球场 赛季 自行车 网球 足球 选手 对手 决赛 速度
"""
_NOUN_TAILS = "者 家 性 学 员 区 法 率 力 馆 部 界 史 类 室 费"
_VERBS = """
发现 研究 介绍 准备 参加 影响 保护 改变 使用 选择 讨论 支持 反对 解决 提高 降低 增加 减少 完成 开始 检查 比较 分析 组织 管理 控制 建立 生产 销售 购买 提供 需要 希望
认识 理解 记录 描写 表现 表示 说明 证明 解释 学习 教授 访问 观察 欣赏 喜欢 讨厌 尊重 批评 表扬 帮助 照顾 打扫 修理 设计 制造 创造 安排 推荐 邀请 拒绝 接受 等待 寻找
收集 保存 删除 复制 翻译 阅读 写作 出版 发表 传播 交换 运输 携带 放弃 坚持 继续 停止 避免 防止 治疗 恢复 锻炼 训练 指导 领导 代表 担任 包括 属于 超过 达到 获得 失去
赢得 打破 穿过 离开 进入 到达 返回 经过 围绕 面对 欢迎 庆祝 纪念 想象 忘记 考虑 决定 计划 尝试 忽视 调整 更新 连接 测量 计算 统计 预测 探索 收购 赞助 展示
"""
_ADJECTIVES = """
美丽 普通 重要 复杂 简单 著名 古老 现代 年轻 传统 特殊 安静 热闹 干净 明亮 黑暗 温暖 寒冷 巨大 微小 丰富 贫穷 快速 缓慢 新鲜 舒适 危险 安全 有趣 无聊 聪明 勇敢 诚实
善良 严格 严重 轻松 困难 方便 便宜 昂贵 完整 正确 错误 清楚 模糊 自由 公开 秘密 主要 次要 国际 本地 遥远 附近 自然 人工 柔软 坚硬 优秀 成功 失败 稳定 活跃 积极 消极
健康 幸福 悲伤 愉快 奇怪 真实 虚假 深刻 广泛 具体 抽象 精彩 美味 豪华 朴素 独特 合理 紧张 平静 强大 脆弱 灵活
"""
_ADVERBS = """
已经 常常 总是 有时 昨天 今天 明天 现在 从前 最近 终于 突然 非常 也许 大概 一定 几乎 仍然 立刻 一起 同时 后来 首先 其实
"""
_SURNAMES = (
    "王 李 张 刘 陈 杨 赵 黄 周 吴 徐 孙 胡 朱 高 林 何 郭 马 罗 梁 宋 郑 谢 韩 唐 冯 董 程 曹"
)
_GIVEN = """
伟 芳 娜 敏 静 丽 强 磊 军 洋 勇 艳 杰 娟 涛 明 超 秀英 霞 平 刚 桂英 建国 文华 志强 晓红 海燕 春梅 国庆 玉兰 小龙 思远 雨晴 子轩 嘉怡 天佑 书瑶 浩然 欣悦
俊峰
"""
_PLACE_STARTS = (
    "东 西 南 北 长 青 白 黑 红 金 银 石 龙 凤 云 海 江 河 湖 山 新 古 大 安 平 永 宁 清 太 福"
)
_PLACE_ENDS = "山 城 河 州 镇 村 湖 阳 江 港 岛 桥 门 泉 林 口 川 关 庄 原"
_GRAMMAR = """
NP: 6 N | 4 A 的 N | 2 N 的 N | 2 这/那/每/某 CL1 N | 2 一/几/两/三 CL1 A 的 N | NUM CL1 N | PLACE 的 N
  | 3 他们/我们/你们/大家 的 N | V 过 N 的 N
CL1: 个/种/位/些/件/座
SUBJ: 6 NP | 3 NAME | 他/她/我们/他们/人们/大家 | 来自 PLACE 的 NAME | N 和 N | NAME 与 NAME
VO: 5 V 了 NP | 3 V NP | 2 V 着 NP | V 过 NP | 开始/可以/应该/必须/能够/愿意/不能/没有 V NP
  | 把 NP V 到/成/给 NP | 被 NP V 了 | 对 NP V 得 很/非常/比较 A | 为 NP V 了 NP
CL: 5 SUBJ VO | 3 SUBJ ADV VO | 2 SUBJ 在 LOC VO | 2 SUBJ 的 N 很/非常/十分/更加 A | LOC 有 NP
  | NP 是 A 的 N | SUBJ 正在 VO | SUBJ 从 PLACE V NP | SUBJ 比 NP 更 A | NP 也/都/就/还 V NP
LOC: PLACE | NP 里/上/中/下/前/后/旁边 | N 附近
TIME: YEAR 年 | V NP 的时候 | V NP 以后/以前 | ADV | 在 NP 期间
KON: 因为/虽然/如果/尽管/由于
KON1: 所以/但是/就/不过/因此/而且/然后
S: 4 CL ， KON1 CL | 3 TIME ， CL | 2 KON CL ， KON1 CL | 2 TIME CL ， 并且 VO | 2 CL ， CL
  | SUBJ 说 ， CL ， KON1 CL | SUBJ 认为 CL ， KON1 VO | 2 CL
T: A 的 N 与 N | 怎样 V A 的 N | PLACE 的 N V N | N V 的 A N | NAME V N | 为什么 SUBJ V N
L: 4 N | 3 A N | 2 N N | PLACE N | V N
"""


def _columns() -> dict[str, Column]:
    nouns = topical(_NOUNS)
    return {
        "N": nouns + compound(nouns, general(_NOUN_TAILS)),
        "V": general(_VERBS),
        "A": general(_ADJECTIVES),
        "ADV": general(_ADVERBS),
        "NAME": compound(general(_SURNAMES), general(_GIVEN)),
        "PLACE": compound(general(_PLACE_STARTS), general(_PLACE_ENDS)),
        "NUM": numerals(4, 90),
        "YEAR": numerals(1890, 2024),
    }


def build() -> LanguageData:
    """Return the grammar and the columns of Chinese."""
    return LanguageData(grammar=_GRAMMAR, columns=_columns(), spaces=False, stop="。")
